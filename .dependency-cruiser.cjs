const { readdirSync, readFileSync } = require('node:fs');

/** Which of our packages each package may import. Nothing else; `docs/architecture.md` draws it. */
const ARROWS = {
  contract: [],
  engine: [],
  broker: [],
  bridge: ['contract'],
  extension: ['contract'],
  image: ['engine', 'contract', 'bridge', 'extension'],
  harness: ['engine', 'image', 'broker', 'bridge', 'contract'],
  cli: ['harness'],
};

/** Packages from npm, where the set is closed. Types of an optional peer are no dependency at run time. */
const FROM_NPM = { contract: [], bridge: [], extension: [], broker: ['undici'], engine: ['execa'] };

/** Files that decide and do nothing: arguments, plans, rules. */
const PURE = ['plan', 'headers', 'target', 'containerfile', 'digest']
  .flatMap((name) => [`/src/${name}\\.ts$`, `/src/.*/${name}\\.ts$`])
  .concat('/src/.*-arguments\\.ts$');

const EFFECTS = ['^(node:)?(fs|net|tls|http|https|http2|child_process|dgram|dns)(/promises)?$', '/node_modules/(execa|undici)/'];

const names = readdirSync('packages');

/** The source files that a package's exports name: its only doors. */
const doors = (name) =>
  Object.values(JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8')).exports).flatMap((target) =>
    typeof target === 'object' && '@doompi-sandbox/source' in target
      ? [`packages/${name}/${target['@doompi-sandbox/source'].slice(2)}`]
      : [],
  );

const escaped = (path) => path.replaceAll('.', String.raw`\.`);

const oneOf = (list) => (list.length === 0 ? '(?!)' : list.join('|'));

const unknown = names.filter((name) => name !== 'testkit' && !(name in ARROWS));
if (unknown.length > 0) throw new Error(`.dependency-cruiser.cjs: no arrows for ${unknown.join(', ')}`);

const arrows = Object.entries(ARROWS).flatMap(([name, allowed]) => [
  {
    name: `arrows-of-${name}`,
    comment: `${name} may import ${allowed.length === 0 ? 'no package of ours' : allowed.join(', ')}`,
    severity: 'error',
    from: { path: `^packages/${name}/src/` },
    to: { path: '^packages/', pathNot: `^packages/(${oneOf([name, ...allowed])})/` },
  },
  {
    name: `arrows-of-${name}-tests`,
    comment: 'A test imports what its package may import, and testkit',
    severity: 'error',
    from: { path: `^packages/${name}/test/` },
    to: { path: '^packages/', pathNot: `^packages/(${oneOf([name, 'testkit', ...allowed])})/` },
  },
]);

const fromNpm = Object.entries(FROM_NPM).map(([name, allowed]) => ({
  name: `npm-of-${name}`,
  comment: `${name} may use ${allowed.length === 0 ? 'node: only' : allowed.join(', ')}`,
  severity: 'error',
  from: { path: `^packages/${name}/src/` },
  to: { path: '/node_modules/', pathNot: `/node_modules/(@types|${oneOf(allowed)})/`, dependencyTypesNot: ['type-only'] },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: { pathNot: '^packages/[^/]+/test/fixtures/' }, to: { couldNotResolve: true } },
    ...arrows,
    ...fromNpm,
    {
      name: 'only-through-the-door',
      comment: 'A package is imported by its exports, never by a path into its src',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: {
        path: '^packages/',
        pathNot: [String.raw`^packages/$1/`, ...names.flatMap(doors).map((door) => `^${escaped(door)}$`)],
      },
    },
    {
      name: 'aggregate-through-the-door',
      severity: 'error',
      from: { path: '^(src|demo|test)/' },
      to: { path: '^packages/', pathNot: names.flatMap(doors).map((door) => `^${escaped(door)}$`) },
    },
    {
      name: 'testkit-stands-alone',
      severity: 'error',
      from: { path: '^packages/testkit/' },
      to: { path: '^(packages/(?!testkit/)|src/)' },
    },
    {
      name: 'testkit-only-in-tests',
      severity: 'error',
      from: { path: '^(src/|packages/(?!testkit/)[^/]+/src/)' },
      to: { path: '^packages/testkit/' },
    },
    {
      name: 'decide-then-do',
      comment: 'A pure file touches no file, socket or process',
      severity: 'error',
      from: { path: PURE },
      to: { path: EFFECTS },
    },
    {
      name: 'bridge-entry-is-self-contained',
      comment: 'It is copied into images as one file: node: and contract only',
      severity: 'error',
      from: { path: '^packages/bridge/src/entry\\.ts$' },
      to: { reachable: true, path: ['^(src|demo|test)/', '^packages/(?!(bridge|contract)/src/)', '/node_modules/(?!@types/)'] },
    },
    {
      name: 'extension-is-self-contained',
      comment: 'It is copied into images as one file: contract only, and types of the agent',
      severity: 'error',
      from: { path: '^packages/extension/src/pi\\.ts$' },
      to: {
        reachable: true,
        path: ['^(src|demo|test)/', '^packages/(?!(extension|contract)/src/)', '/node_modules/(?!@types/|@earendil-works/pi-)'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.base.json' },
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@doompi-sandbox/source', 'import', 'node', 'types', 'default'],
      extensions: ['.ts', '.mts', '.js', '.mjs', '.cjs', '.d.ts', '.json'],
    },
  },
};
