import { describe, expect, it } from 'vitest';
import { passwdFiles } from '../../../src/launch/plan/passwd.ts';

describe('the passwd entry', () => {
  it('has the name, the numbers, the home of the session and a shell', () => {
    expect(passwdFiles({ name: 'alice', uid: 1234, gid: 100 })).toEqual({
      passwd: 'alice:x:1234:100:alice:/doompi-home:/bin/bash\n',
      group: 'alice:x:100:\n',
    });
  });

  it('calls container root root, whoever the person is', () => {
    expect(passwdFiles({ name: 'alice', uid: 0, gid: 0 })).toEqual({
      passwd: 'root:x:0:0:root:/doompi-home:/bin/bash\n',
      group: 'root:x:0:\n',
    });
  });

  it.each([undefined, '', 'root', 'a:b', 'x\ny', 'DOMAIN\\alice', 'alice@example.org', '-alice', 'ä', 'a'.repeat(33)])(
    'calls a person whose name is %j agent: it must not become another field, line or user',
    (name) => {
      expect(passwdFiles({ name, uid: 1234, gid: 1234 }).passwd).toBe('agent:x:1234:1234:agent:/doompi-home:/bin/bash\n');
    },
  );

  it('never gives group root to a name that is not root', () => {
    expect(passwdFiles({ name: 'alice', uid: 1234, gid: 0 }).group).toBe('root:x:0:\n');
    expect(passwdFiles({ name: 'alice', uid: 0, gid: 5 }).group).toBe('agent:x:5:\n');
  });
});
