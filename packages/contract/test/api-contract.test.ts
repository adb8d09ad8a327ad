import { describe, expect, it } from 'vitest';
import { parseApiContract, sandboxApiContract, type ApiContract } from '../src/index.ts';

const full = {
  version: 1,
  protocols: { sandbox: '1' },
  schemas: { any: true, session: { type: 'object' } },
  http: [
    {
      id: 'list',
      scope: 'workspace',
      basePath: 'sandbox-sessions',
      path: '/',
      method: 'GET',
      description: 'Lists sessions',
      availability: 'while a launcher runs',
      authentication: 'owner',
      parameters: [{ name: 'limit', in: 'query', required: false, schema: { type: 'integer' } }],
      body: { contentType: 'application/json', contentTypes: ['text/plain'], required: true, schema: true },
      responses: {
        200: { description: 'The sessions', contentType: 'text/event-stream', schema: true, events: { started: true } },
        default: { description: 'A failure' },
      },
    },
  ],
  sockets: [
    {
      id: 'status',
      scope: 'workspace',
      description: 'State of a session',
      availability: 'always',
      service: 'sandbox',
      member: 'status',
      direction: 'server-to-client',
      kind: 'state',
      input: false,
      output: true,
      errors: { type: 'string' },
    },
  ],
  dynamic: ['sandbox.label'],
  gaps: ['no stop yet'],
} as const satisfies ApiContract;

/** A copy with the value at a dotted path replaced; undefined removes it. */
const altered = (path: string, value: unknown): unknown => {
  const copy: unknown = structuredClone(full);
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const parent = keys.reduce((node, key) => (node as Record<string, unknown>)[key], copy) as Record<string, unknown>;
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
};

describe('API contract', () => {
  it('is returned as it is', () => {
    expect(parseApiContract(full)).toBe(full);
    expect(parseApiContract(altered('http.0.later', { added: 1 }))).toHaveProperty('http.0.later');
  });

  it('the sandbox’s own offers nothing', () => {
    expect(parseApiContract(sandboxApiContract)).toEqual({ version: 1, http: [], sockets: [], dynamic: [] });
  });

  it.each([
    ['version', 2, 'version must be 1'],
    ['http', undefined, 'http must be a list'],
    ['http', {}, 'http must be a list'],
    ['http.0', 'x', 'http[0] must be an object'],
    ['http.0.id', '', 'http[0].id must be a non-empty string'],
    ['http.0.scope', 'user', 'http[0].scope must be "global" or "workspace" or "session"'],
    ['http.0.basePath', 'Not-Kebab', 'http[0].basePath must be lower-case words joined by hyphens'],
    ['http.0.path', 'sessions', 'http[0].path must be a string that starts with "/"'],
    ['http.0.method', 'get', 'http[0].method must be "GET" or '],
    ['http.0.authentication', undefined, 'http[0].authentication must be "none" or "owner" or "device"'],
    ['http.0.parameters.0.in', 'cookie', 'http[0].parameters[0].in must be "path" or "query" or "header"'],
    ['http.0.parameters.0.required', 'yes', 'http[0].parameters[0].required must be true or false'],
    ['http.0.parameters.0.schema', 'string', 'http[0].parameters[0].schema must be a JSON Schema'],
    ['http.0.body.contentTypes', [], 'http[0].body.contentTypes must be a non-empty list'],
    ['http.0.responses', {}, 'http[0].responses must be a non-empty object'],
    [
      'http.0.responses',
      { 600: { description: 'x' } },
      'a key of http[0].responses must be a status from 100 to 599 or "default"',
    ],
    ['http.0.responses.200.events.started', 1, 'http[0].responses.200.events.started must be a JSON Schema'],
    ['sockets.0.direction', 'both', 'sockets[0].direction must be'],
    ['sockets.0.kind', 'event', 'sockets[0].kind must be "method" or "state" or "channel"'],
    ['sockets.0.input', undefined, 'sockets[0].input must be a JSON Schema'],
    ['dynamic', [''], 'dynamic[0] must be a non-empty string'],
    ['gaps', 'x', 'gaps must be a list'],
    ['protocols', { '': 'x' }, 'a key of protocols must be a non-empty string'],
  ])('refuses %s = %j', (path, value, message) => {
    const contract = altered(path, value);
    expect(() => parseApiContract(contract)).toThrow(TypeError);
    expect(() => parseApiContract(contract)).toThrow(`Invalid API contract: ${message}`);
  });

  it.each([[null], ['{}'], [[]]])('refuses %j', (value) => {
    expect(() => parseApiContract(value)).toThrow('Invalid API contract: it must be an object');
  });

  it('refuses an operation that is named twice in a scope, across HTTP and sockets', () => {
    expect(() => parseApiContract(altered('sockets.0.id', 'list'))).toThrow('Duplicate API contract operation: workspace:list');
    expect(parseApiContract(altered('sockets.0', { ...full.sockets[0], id: 'list', scope: 'session' }))).toBeDefined();
  });

  it('refuses what JSON cannot hold', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    for (const [value, message] of [
      [cycle, 'schemas.x.self is part of itself'],
      [{ at: Number.NaN }, 'schemas.x.at is not a finite number'],
      [{ at: undefined }, 'schemas.x.at is of type undefined'],
      [{ at: () => {} }, 'schemas.x.at is of type function'],
      [{ at: 1n }, 'schemas.x.at is of type bigint'],
      [{ at: new Date(0) }, 'schemas.x.at is an object of a class'],
    ] as const)
      expect(() => parseApiContract({ ...full, schemas: { x: value } })).toThrow(`Invalid API contract: ${message}`);
    const shared = { type: 'string' };
    expect(parseApiContract({ ...full, schemas: { a: shared, b: shared } })).toBeDefined();
  });
});
