import { apiContractShape } from './api-contract-shape.ts';
import { assertJson } from './json.ts';

/** A JSON Schema (draft-07). */
export type JsonSchema = boolean | object;

/** What an operation belongs to. */
export type ApiScope = 'global' | 'workspace' | 'session';

export interface ApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export interface ApiBody {
  readonly contentType: string;
  /** Further accepted types; never empty. */
  readonly contentTypes?: readonly string[];
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export interface ApiResponse {
  readonly description: string;
  readonly contentType?: string;
  readonly schema?: JsonSchema;
  /** Schema per event name, of an event stream. */
  readonly events?: Readonly<Record<string, JsonSchema>>;
}

export interface ApiHttpOperation {
  /** Unique within its scope, sockets included. */
  readonly id: string;
  readonly scope: ApiScope;
  /** Lower-case words joined by hyphens. Absent for a path that the host owns. */
  readonly basePath?: string;
  /** Starts with `/`. */
  readonly path: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  readonly description: string;
  readonly availability?: string;
  readonly authentication: 'none' | 'owner' | 'device';
  readonly parameters?: readonly ApiParameter[];
  readonly body?: ApiBody;
  /** By status, `100` to `599`, or `default`; never empty. */
  readonly responses: Readonly<Record<string, ApiResponse>>;
}

export interface ApiSocketOperation {
  /** Unique within its scope, HTTP operations included. */
  readonly id: string;
  readonly scope: ApiScope;
  readonly description: string;
  readonly availability?: string;
  readonly service: string;
  readonly member: string;
  readonly direction: 'client-to-server' | 'server-to-client';
  readonly kind: 'method' | 'state' | 'channel';
  readonly input: JsonSchema;
  readonly output?: JsonSchema;
  readonly errors?: JsonSchema;
}

/** What a package offers over HTTP and sockets, as data. */
export interface ApiContract {
  readonly version: 1;
  readonly protocols?: Readonly<Record<string, string>>;
  readonly schemas?: Readonly<Record<string, JsonSchema>>;
  readonly http: readonly ApiHttpOperation[];
  readonly sockets: readonly ApiSocketOperation[];
  /** Values whose shape is known only when the program runs. */
  readonly dynamic: readonly string[];
  /** Known omissions. */
  readonly gaps?: readonly string[];
}

/** Returns its argument: the compiler checks it. */
export const defineApiContract = <const Contract extends ApiContract>(contract: Contract): Contract => contract;

const isApiContract: (value: unknown) => asserts value is ApiContract = (value) => apiContractShape(value, '');

/**
 * Checks a contract that comes from outside and returns it.
 * @throws TypeError when it has another shape, holds what JSON cannot, or names an operation twice in a scope.
 */
export const parseApiContract = (value: unknown): ApiContract => {
  assertJson(value);
  isApiContract(value);
  const seen = new Set<string>();
  for (const { scope, id } of [...value.http, ...value.sockets]) {
    const key = `${scope}:${id}`;
    if (seen.has(key)) throw new TypeError(`Duplicate API contract operation: ${key}`);
    seen.add(key);
  }
  return value;
};
