import { PI_ROUTES } from '@doompi-sandbox/broker';
import { brokerable } from '../launch/facts/facts.ts';
import type { Environment, Settings } from '../launch/settings/settings.ts';
import { finding, type Finding } from './finding.ts';

export interface CredentialFacts {
  readonly broker: boolean;
  /** Keys of the host that a session would broker, by the name of their variable alone. */
  readonly credentials: readonly { readonly variable: string; readonly providers: readonly string[] }[];
}

/** @throws BrokerError BROKER_CREDENTIAL_INVALID, as a launch does. */
export const credentialFacts = (settings: Settings, environment: Environment): CredentialFacts => ({
  broker: settings.broker,
  credentials: brokerable({ settings, environment }).map(({ variable, providers }) => ({ variable, providers })),
});

export const judgeCredentials = ({ broker, credentials }: CredentialFacts): readonly Finding[] => {
  if (!broker) return [finding('warning', 'broker-disabled', 'the broker is off, so no key is brokered')];
  if (credentials.length > 0) return [];
  const known = new Set(PI_ROUTES.flatMap(({ variables }) => variables.map(({ name }) => name)));
  return [finding('warning', 'credentials-missing', `none of the ${known.size} variables that can hold a key is set`)];
};
