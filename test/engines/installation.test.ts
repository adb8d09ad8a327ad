import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { engineVariant, installForUsers, runOnVariant } from '@doompi-sandbox/testkit';
import { expect, it } from 'vitest';
import { provideImage, repositoryOn, sandboxOn } from '../helpers/on-variant.ts';
import { useStandIn } from '../helpers/stand-in.ts';

const standIn = useStandIn();

it('the command runs for a normal user, who may not look into the clone', async ({ skip }) => {
  const [docker, rootless] = [await engineVariant('docker'), await engineVariant('podman-rootless')];
  if (typeof docker === 'string') return skip(docker);
  if (typeof rootless === 'string') return skip(rootless);
  const { user } = rootless;
  if (user === undefined) return skip('only root can become another user');
  const { node, bin, directory } = await installForUsers();
  expect((await stat(directory)).mode & 0o777).toBe(0o755);
  const version = await runOnVariant(docker, node, [bin, '--version'], { user });
  expect(version).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as unknown });
  await using repository = await repositoryOn(docker, { owner: user });
  const session = await sandboxOn(docker, [...standIn(), '--', 'sh', '-c', 'id -u; echo made >file'], {
    cwd: repository.path,
    user,
  });
  expect(session, session.stderr).toMatchObject({ exitCode: 0, stdout: `${user.uid}\n` });
  expect(await stat(join(repository.path, 'file'))).toMatchObject({ uid: user.uid, gid: user.gid });
});

it('an image that docker built is the one that the command looks for on another engine', async ({ skip }) => {
  const variant = await engineVariant('docker-rootless');
  if (typeof variant === 'string') return skip(variant);
  const reference = await provideImage(variant, standIn(), ['true']);
  await using repository = await repositoryOn(variant);
  const options = standIn().filter((option) => option !== '--quiet');
  const { stderr } = await sandboxOn(variant, [...options, '--', 'true'], { cwd: repository.path });
  expect(stderr).toContain(reference);
  expect(stderr).not.toContain('building');
});
