import { BrokerError } from './error.ts';
import { PI_ROUTES } from './pi-1.6.gen.ts';
import type { CredentialScheme, Route } from './route.ts';

/** A provider key and what it opens. */
export interface Credential {
  /** Environment variable that holds the key, and that will hold the session token inside. */
  readonly variable: string;
  /** Ids of the providers that use this key. */
  readonly providers: readonly string[];
  readonly scheme: CredentialScheme;
  /** Start of the session tokens made for it. */
  readonly tokenPrefix: string;
  /** The key itself. Not an own property: printing, spreading and `JSON.stringify` do not show it. */
  readonly value: string;
}

export interface CredentialOptions {
  readonly variable: string;
  /** The key. Surrounding white space is removed. */
  readonly value: string;
  readonly providers: readonly string[];
  /** Default `api-kind`. */
  readonly scheme?: CredentialScheme;
  /** Default `sk-`. */
  readonly tokenPrefix?: string;
}

/** Pi takes any Anthropic key with this text for an OAuth token, whatever the variable, and sends it as a bearer token. */
const OAUTH_TOKEN_PREFIX = 'sk-ant-oat01-';
const OAUTH_TOKEN = 'sk-ant-oat';

const HEADER_VALUE = /^[\x21-\x7e]+$/;

class HeldCredential implements Credential {
  readonly variable: string;
  readonly providers: readonly string[];
  readonly scheme: CredentialScheme;
  readonly tokenPrefix: string;
  readonly #value: string;

  constructor({ variable, value, providers, scheme = 'api-kind', tokenPrefix = 'sk-' }: CredentialOptions) {
    this.variable = variable;
    this.providers = [...providers];
    this.scheme = scheme;
    this.tokenPrefix = tokenPrefix;
    this.#value = value;
  }

  get value(): string {
    return this.#value;
  }
}

/**
 * Makes a credential.
 * @throws BrokerError `BROKER_CREDENTIAL_INVALID` when the value is blank or cannot be sent in a header.
 */
export const createCredential = (options: CredentialOptions): Credential => {
  const { variable } = options;
  const value = options.value.trim();
  if (!HEADER_VALUE.test(value))
    throw new BrokerError(
      'BROKER_CREDENTIAL_INVALID',
      `The value of ${variable} cannot be sent as a key: it must be printable ASCII`,
      {
        variable,
      },
    );
  const oauth = value.includes(OAUTH_TOKEN) && options.providers.includes('anthropic');
  return new HeldCredential({
    ...options,
    value,
    ...(oauth ? { scheme: 'bearer', tokenPrefix: OAUTH_TOKEN_PREFIX } : undefined),
  });
};

/**
 * The keys that an environment has for the routes, one credential per variable in use. Of a provider's variables the
 * first that is not blank counts; the others are in no credential, so that no session ever sets them.
 * @throws BrokerError `BROKER_CREDENTIAL_INVALID`, naming the variable.
 */
export const findCredentials = (
  environment: Readonly<Record<string, string | undefined>>,
  routes: readonly Route[] = PI_ROUTES,
): Credential[] => {
  const found = new Map<string, CredentialOptions & { providers: string[] }>();
  for (const route of routes) {
    const variable = route.variables.find(({ name }) => environment[name] !== undefined && environment[name].trim() !== '');
    const value = variable && environment[variable.name];
    if (variable === undefined || value === undefined) continue;
    const sharing = found.get(variable.name);
    if (sharing) sharing.providers.push(route.id);
    else {
      const { name, ...traits } = variable;
      found.set(name, { ...traits, variable: name, value, providers: [route.id] });
    }
  }
  return [...found.values()].map(createCredential);
};
