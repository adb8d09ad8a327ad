import { describe, expect, it } from 'vitest';
import { isLaunchError } from '../../../src/error.ts';
import { assertPassable } from '../../../src/launch/facts/passable.ts';

const refused = (passVariables: readonly string[], name: 'docker' | 'podman'): readonly string[] => {
  try {
    assertPassable({ passVariables }, { name });
    return [];
  } catch (error) {
    if (!isLaunchError(error, 'LAUNCH_SETTINGS_INVALID')) throw error;
    return error.details.problems;
  }
};

describe('a variable that was named to be passed', () => {
  it('is refused by name where the command of this engine obeys it, before anything is built', () => {
    expect(refused(['TMPDIR', 'STRIPE_API_KEY', 'XDG_CONFIG_HOME'], 'podman')).toEqual([
      expect.stringContaining('TMPDIR'),
      expect.stringContaining('XDG_CONFIG_HOME'),
    ]);
  });

  it('is passed where it does not', () => {
    expect(refused(['TMPDIR', 'STRIPE_API_KEY', 'XDG_CONFIG_HOME'], 'docker')).toEqual([]);
  });
});
