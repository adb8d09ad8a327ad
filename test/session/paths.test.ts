import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sandbox, sessionRepository } from '../helpers/sandbox.ts';
import { useStandIn } from '../helpers/stand-in.ts';

const agent = useStandIn();

it.each([
  ['a colon', 'a:b'],
  ['blanks', ' two  words '],
  ['a comma', 'a,readonly'],
  ['quotes', `it's "quoted"`],
  ['a backslash', String.raw`back\slash`],
  ['UTF-8', 'größe-日本語-🎉'],
  ['an equals sign and a dollar', 'a=$HOME'],
  ['a newline', 'two\nlines'],
])('B05: a repository whose path holds %s is read and written', async (_what, name) => {
  await using repository = await sessionRepository({ name });
  const sub = join(repository.path, 'sub directory');
  await mkdir(sub);
  await writeFile(join(repository.path, 'marker'), 'from the host\n');
  const script = 'pwd; cat ../marker; echo from the container > out';
  const result = await sandbox([...agent(), '--', 'sh', '-c', script], { cwd: sub });
  expect(result, result.stderr).toMatchObject({ exitCode: 0, stdout: `${sub}\nfrom the host\n` });
  expect(await readFile(join(sub, 'out'), 'utf8')).toBe('from the container\n');
  expect((await stat(join(sub, 'out'))).uid).toBe(process.getuid?.());
});
