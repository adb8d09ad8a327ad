import { expect, it } from 'vitest';
import { sandbox, sessionRepository } from '../helpers/sandbox.ts';
import { useStandIn } from '../helpers/stand-in.ts';

const agent = useStandIn({ bin: false });

it('an image without the agent is 127, with a message that names it', async () => {
  await using repository = await sessionRepository();
  const result = await sandbox([...agent(), '--', 'anything'], { cwd: repository.path });
  expect(result).toMatchObject({ exitCode: 127, stdout: '', stderr: expect.stringContaining('doompi') });
});
