import { parseArgs } from 'node:util';
import { TRANSPORT_SETTINGS } from '@doompi-sandbox/harness';

/** Deliberate faults that the demo must find. */
export type Sabotage = 'leak' | 'leftover';

/** Options that go to the command as they are. */
const FORWARDED = ['engine', 'transport', 'runtime'] as const;

export interface DemoOptions {
  /** Print one JSON object as the last line. */
  readonly json: boolean;
  /** Use this real provider, with the person's own key, instead of the model server. */
  readonly provider: string | undefined;
  readonly sabotage: Sabotage | undefined;
  /** The engine that `--engine` names. */
  readonly engine: string | undefined;
  /** Options for the command: engine, transport and runtime. */
  readonly commandOptions: readonly string[];
}

/** @throws TypeError naming the mistake. */
export const parseDemoArguments = (argv: readonly string[]): DemoOptions => {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      json: { type: 'boolean', default: false },
      provider: { type: 'string' },
      sabotage: { type: 'string' },
      engine: { type: 'string' },
      transport: { type: 'string' },
      runtime: { type: 'string' },
      yes: { type: 'boolean', default: false },
    },
  });
  const { sabotage, transport } = values;
  if (sabotage !== undefined && sabotage !== 'leak' && sabotage !== 'leftover')
    throw new TypeError(`--sabotage takes leak or leftover, not ${JSON.stringify(sabotage)}`);
  if (transport !== undefined && !TRANSPORT_SETTINGS.some((setting) => setting === transport))
    throw new TypeError(`--transport takes ${TRANSPORT_SETTINGS.join(', ')}, not ${JSON.stringify(transport)}`);
  return {
    json: values.json,
    provider: values.provider,
    sabotage,
    engine: values.engine,
    commandOptions: FORWARDED.flatMap((name) => (values[name] === undefined ? [] : [`--${name}`, values[name]])),
  };
};
