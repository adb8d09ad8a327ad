import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getBuiltinProviders } from '@earendil-works/pi-ai/providers/all';
import { builtinProviders } from '@earendil-works/pi-ai/providers/all';
import { describe, expect, it } from 'vitest';
import { PI_EXCLUDED, PI_ROUTES, PI_VERSION, type ApiKind } from '../src/index.ts';
import { isRefusal } from '../src/refusal.ts';
import { resolveRoute, resolveTarget } from '../src/target.ts';
import { PI_REQUEST_PATHS } from './support/pi-requests.ts';

const SCRIPT = join(import.meta.dirname, '../../../scripts/generate-routes.mjs');
const resolved = new Map(PI_ROUTES.map((route) => [route.id, resolveRoute(route, undefined)]));
const everyone = new Set(resolved.keys());

interface CatalogueModel {
  readonly api: ApiKind;
  readonly baseUrl: string;
}
interface CatalogueProvider {
  readonly id: string;
  readonly getModels: () => readonly CatalogueModel[];
  readonly getAllModels?: () => readonly CatalogueModel[];
}
const catalogue = builtinProviders() as unknown as readonly CatalogueProvider[];

describe('generated routes', () => {
  it('are what the generator makes of the installed catalogue', async () => {
    const { generateRoutes } = (await import(pathToFileURL(SCRIPT).href)) as { generateRoutes: () => Promise<string> };
    const [major, minor] = PI_VERSION.split('.');
    const file = join(import.meta.dirname, `../src/pi-${major}.${minor}.gen.ts`);
    expect(await readFile(file, 'utf8')).toBe(await generateRoutes());
  });

  it('cover every provider of the catalogue, or say why not', () => {
    expect([...PI_ROUTES, ...PI_EXCLUDED].map(({ id }) => id).toSorted()).toEqual(catalogue.map(({ id }) => id).toSorted());
    expect(getBuiltinProviders().filter((id) => !everyone.has(id)).length).toBeLessThanOrEqual(PI_EXCLUDED.length);
    expect(Object.fromEntries(PI_EXCLUDED.map(({ id, reason }) => [id, reason]))).toEqual({
      'amazon-bedrock': 'request-signing',
      azure: 'user-supplied-base',
      'cloudflare-ai-gateway': 'templated-base',
      'cloudflare-workers-ai': 'templated-base',
      'google-vertex': 'templated-base',
      'openai-codex': 'oauth-only',
    });
  });

  it('include the twelve providers that the original broker had', () => {
    const twelve = 'anthropic openai google groq xai openrouter deepseek mistral together cerebras moonshotai zai';
    for (const id of twelve.split(' ')) expect(everyone).toContain(id);
  });

  const brokered = catalogue.filter(({ id }) => everyone.has(id));
  it.each(brokered.map((provider) => [provider.id, provider] as const))(
    'send each model of %s where Pi would',
    (id, provider) => {
      const models = provider.getAllModels?.() ?? provider.getModels();
      expect(models.length).toBeGreaterThan(0);
      const seen = new Set(models.map(({ api, baseUrl }) => `${api} ${baseUrl}`));
      for (const pair of seen) {
        const [api, base] = pair.split(' ') as [ApiKind, string];
        const suffix = PI_REQUEST_PATHS[api];
        const host = new URL(base).host;
        for (const path of [`/${id}/${host}${suffix}`, `/${id}${suffix}`]) {
          const target = resolveTarget(resolved, everyone, 'POST', path, '');
          expect(isRefusal(target) ? target : `${target.origin}${target.path}`).toBe(`${base.replace(/\/$/, '')}${suffix}`);
        }
      }
    },
  );

  it('share no variable with a provider that has no route', () => {
    // Such a provider would be sent the session token by an agent that is not redirected there.
    const excluded = ['AZURE_OPENAI_API_KEY', 'CLOUDFLARE_API_KEY', 'GOOGLE_CLOUD_API_KEY', 'AWS_BEARER_TOKEN_BEDROCK'];
    const brokeredVariables = PI_ROUTES.flatMap(({ variables }) => variables.map(({ name }) => name));
    expect(brokeredVariables.filter((name) => excluded.includes(name))).toEqual([]);
  });

  it('reads what a key may use from OpenRouter, and Copilot classifies below /v1', () => {
    const at = (method: string, path: string): unknown => resolveTarget(resolved, everyone, method, path, '');
    expect(at('GET', '/openrouter/openrouter.ai/models/user')).toMatchObject({
      origin: 'https://openrouter.ai',
      path: '/api/v1/models/user',
    });
    expect(at('POST', '/github-copilot/v1/systemone')).toMatchObject({ path: '/v1/systemone' });
  });

  it('take the variables in the order in which Pi reads them', () => {
    const variables = (id: string): unknown => PI_ROUTES.find((route) => route.id === id)?.variables.map(({ name }) => name);
    expect(variables('anthropic')).toEqual(['ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_OAUTH_TOKEN', 'ANTHROPIC_API_KEY']);
    expect(variables('qwen-token-plan-cn')).toEqual(['QWEN_TOKEN_PLAN_TEAM_CN_API_KEY', 'QWEN_TOKEN_PLAN_CN_API_KEY']);
    for (const route of PI_ROUTES) expect(route.variables.length).toBeGreaterThan(0);
  });
});
