// Writes packages/broker/src/pi-<version>.gen.ts from the model catalogue of the installed @earendil-works/pi-ai.
//
//   node scripts/generate-routes.mjs            write the file
//   node scripts/generate-routes.mjs --print    print it instead
//
// Everything is read from the agent: providers and bases from its provider objects, key variables by asking each
// provider's own resolver which variables it reads, and in which order.
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const brokerDirectory = join(dirname(fileURLToPath(import.meta.url)), '..', 'packages', 'broker');
const catalogue = pathToFileURL(join(brokerDirectory, 'node_modules', '@earendil-works', 'pi-ai', '/'));

/** API kinds that the broker can serve; kept in step with `src/api-kind.ts` by a test. Order decides where paths coincide. */
const API_KINDS = [
  'anthropic-messages',
  'openai-responses',
  'openai-completions',
  'google-generative-ai',
  'mistral-conversations',
  'pi-messages',
  'openai-decisions',
  'typesafe-system-one',
  'openrouter-images',
];

/** Signed requests cannot be served by swapping a header. */
const SIGNED_API_KINDS = ['bedrock-converse-stream'];

/** What no provider object says about a variable: how the agent sends it, and how it tells its values apart. */
const VARIABLE_TRAITS = {
  ANTHROPIC_AUTH_TOKEN: { scheme: 'bearer' },
  // The agent takes any key with `sk-ant-oat` in it for an OAuth token and then sends it as a bearer token.
  ANTHROPIC_OAUTH_TOKEN: { scheme: 'bearer', tokenPrefix: 'sk-ant-oat01-' },
  // The agent sends it as a bearer token to all three of Copilot's APIs.
  COPILOT_GITHUB_TOKEN: { scheme: 'bearer' },
};

/** Variables of workload identity federation: no keys, and not brokered. */
const NOT_A_KEY = /_(?:ID|FILE)$/;

const variablesOf = async (provider) => {
  const asked = [];
  const env = async (name) => {
    if (!asked.includes(name)) asked.push(name);
    return undefined;
  };
  const ctx = { env, fileExists: async () => false };
  await provider.auth.apiKey?.resolve({ ctx, signal: new AbortController().signal });
  return asked.filter((name) => !NOT_A_KEY.test(name)).map((name) => ({ name, ...VARIABLE_TRAITS[name] }));
};

const apisOf = (provider) => {
  const models = provider.getAllModels?.() ?? provider.getModels();
  const pairs = new Map(
    models.map(({ api, baseUrl }) => [`${api} ${baseUrl}`, { kind: api, base: baseUrl.replace(/\/+$/, '') }]),
  );
  return [...pairs.values()].toSorted(
    (a, b) => API_KINDS.indexOf(a.kind) - API_KINDS.indexOf(b.kind) || (a.base < b.base ? -1 : a.base > b.base ? 1 : 0),
  );
};

const exclusion = (provider, apis) => {
  if (provider.auth.apiKey === undefined) return 'oauth-only';
  if (apis.some(({ kind }) => SIGNED_API_KINDS.includes(kind))) return 'request-signing';
  if (apis.some(({ base }) => base === '')) return 'user-supplied-base';
  if (apis.some(({ base }) => base.includes('{'))) return 'templated-base';
  return undefined;
};

/** The text of the generated file. */
export const generateRoutes = async () => {
  const { builtinProviders } = await import(new URL('dist/providers/all.js', catalogue).href);
  const { version } = JSON.parse(await readFile(new URL('package.json', catalogue), 'utf8'));
  const routes = [];
  const excluded = [];
  for (const provider of builtinProviders().toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const apis = apisOf(provider);
    const reason = exclusion(provider, apis);
    if (reason !== undefined) {
      excluded.push({ id: provider.id, reason });
      continue;
    }
    const unknown = apis.find(({ kind, base }) => !API_KINDS.includes(kind) || !base.startsWith('https://'));
    if (unknown) throw new Error(`${provider.id}: do not know how to broker ${unknown.kind} at ${unknown.base}`);
    const kinds = apis.map(({ kind }) => kind);
    const repeated = kinds.find((kind, index) => kinds.indexOf(kind) !== index);
    if (repeated) throw new Error(`${provider.id}: ${repeated} has two bases, and a path cannot tell them apart`);
    routes.push({ id: provider.id, variables: await variablesOf(provider), apis });
  }
  const json = (value) => JSON.stringify(value, undefined, 2);
  return `// Generated from @earendil-works/pi-ai ${version} by scripts/generate-routes.mjs. Do not edit.
import type { ExcludedProvider, Route } from './route.ts';

/** Version of the agent's catalogue that the routes come from. */
export const PI_VERSION = '${version}';

/** Every provider of Pi ${version} whose bases are fixed https URLs and whose credential is a header. */
export const PI_ROUTES: readonly Route[] = ${json(routes)};

/** Providers of Pi ${version} without a route. */
export const PI_EXCLUDED: readonly ExcludedProvider[] = ${json(excluded)};
`;
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = await generateRoutes();
  if (process.argv.includes('--print')) process.stdout.write(text);
  else await writeFile(join(brokerDirectory, 'src', `pi-${/pi-ai (\d+\.\d+)/.exec(text)[1]}.gen.ts`), text);
}
