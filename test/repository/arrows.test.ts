import { appendFile, cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runProgram, temporaryDirectory } from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** Each line breaks one rule of .dependency-cruiser.cjs: where it is written, and the rule that must name it. */
const BREACHES = [
  ['packages/contract/src/index.ts', "import '@doompi-sandbox/engine';", 'arrows-of-contract'],
  ['packages/engine/src/index.ts', "import '@doompi-sandbox/image';", 'arrows-of-engine'],
  ['packages/broker/src/index.ts', "import '@doompi-sandbox/contract';", 'arrows-of-broker'],
  ['packages/bridge/src/index.ts', "import '@doompi-sandbox/broker';", 'arrows-of-bridge'],
  ['packages/extension/src/index.ts', "import '@doompi-sandbox/bridge';", 'arrows-of-extension'],
  ['packages/image/src/index.ts', "import '@doompi-sandbox/harness';", 'arrows-of-image'],
  ['packages/harness/src/index.ts', "import '@doompi-sandbox/cli';", 'arrows-of-harness'],
  ['packages/cli/src/index.ts', "import '@doompi-sandbox/engine';", 'arrows-of-cli'],
  ['packages/cli/src/command.ts', "import '../../harness/src/error.ts';", 'only-through-the-door'],
  ['src/index.ts', "import '../packages/harness/src/error.ts';", 'aggregate-through-the-door'],
  ['packages/engine/src/command/capture.ts', "import '@doompi-sandbox/testkit';", 'testkit-only-in-tests'],
  ['packages/testkit/src/index.ts', "import '@doompi-sandbox/engine';", 'testkit-stands-alone'],
  ['packages/broker/src/target.ts', "import 'node:fs/promises';", 'decide-then-do'],
  ['packages/engine/src/container/run-arguments.ts', "import 'node:child_process';", 'decide-then-do'],
  ['packages/bridge/src/entry.ts', "import './circle.ts';", 'no-circular'],
  ['packages/bridge/src/listen.ts', "import '@doompi-sandbox/image';", 'bridge-entry-is-self-contained'],
  ['packages/extension/src/activate.ts', "import '@doompi-sandbox/engine';", 'extension-is-self-contained'],
] as const;

/** The sources in a directory where our packages resolve to the copies. */
const copySources = async (target: string): Promise<void> => {
  const isSource = (path: string): boolean => !/\/(node_modules|dist|test)$/.test(path);
  for (const name of ['packages', 'src']) await cp(join(ROOT, name), join(target, name), { recursive: true, filter: isSource });
  for (const name of ['.dependency-cruiser.cjs', 'tsconfig.base.json', 'package.json'])
    await cp(join(ROOT, name), join(target, name));
  await mkdir(join(target, 'node_modules/@doompi-sandbox'), { recursive: true });
  for (const name of 'contract engine broker bridge extension image harness cli testkit'.split(' '))
    await symlink(join(target, 'packages', name), join(target, 'node_modules/@doompi-sandbox', name));
};

interface Report {
  readonly summary: { readonly violations: readonly { readonly from: string; readonly rule: { readonly name: string } }[] };
}

const violations = async (directory: string): Promise<readonly string[]> => {
  const depcruise = join(ROOT, 'node_modules/.bin/depcruise');
  const args = ['packages', 'src', '--config', '.dependency-cruiser.cjs', '--output-type', 'json'];
  const result = await runProgram(depcruise, args, { cwd: directory });
  const { summary } = JSON.parse(result.stdout) as Report;
  // Packages from npm are not in the copy.
  return summary.violations.map(({ from, rule }) => `${rule.name}: ${from}`).filter((text) => !text.startsWith('resolvable'));
};

describe('the arrows between packages', () => {
  it('every rule reports its breach', async () => {
    await using directory = await temporaryDirectory();
    await copySources(directory.path);
    for (const [file, line] of BREACHES) await appendFile(join(directory.path, file), `\n${line}\n`);
    await writeFile(join(directory.path, dirname('packages/bridge/src/entry.ts'), 'circle.ts'), "import './entry.ts';\n");
    const found = await violations(directory.path);
    const expected = BREACHES.map(([file, , rule]) =>
      // A closure is reported for the file where it begins, a circle for one of its files.
      rule === 'no-circular'
        ? `${rule}: packages/bridge/src/circle.ts`
        : rule.startsWith('bridge-entry')
          ? `${rule}: packages/bridge/src/entry.ts`
          : rule.startsWith('extension-is')
            ? `${rule}: packages/extension/src/pi.ts`
            : `${rule}: ${file}`,
    );
    expect(found).toEqual(expect.arrayContaining(expected));
  }, 60_000);
});
