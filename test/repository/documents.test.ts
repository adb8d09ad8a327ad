import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Paths in backticks that begin with a folder of the repository. */
const named = (document: string): readonly string[] =>
  [...readFileSync(root(document), 'utf8').matchAll(/`((?:packages|test|scripts|src|docs|etc|demo)\/[\w./@-]+)`/g)].map(
    ([, path]) => path ?? '',
  );

it.each(['AGENTS.md', 'CONTRIBUTING.md', 'docs/architecture.md', 'docs/security.md', 'README.md'])(
  'every file that %s names exists',
  (document) => {
    expect(named(document).filter((path) => !existsSync(root(path)))).toEqual([]);
  },
);

it('every invariant about secrets and sessions names a test', () => {
  const sections = readFileSync(root('AGENTS.md'), 'utf8').split('## ');
  const invariants = sections
    .filter((section) => /^(?:Secrets|Sessions)/.test(section))
    .flatMap((section) => section.match(/^- .*$/gm) ?? []);
  expect(invariants.length).toBeGreaterThan(12);
  expect(invariants.filter((line) => !line.includes('.test.ts`'))).toEqual([]);
});
