import { parseArgs } from 'node:util';

/** Deliberate faults that the demo must find. */
export type Sabotage = 'leak' | 'leftover';

export interface DemoOptions {
  /** Print one JSON object as the last line. */
  readonly json: boolean;
  /** Use this real provider, with the person's own key, instead of the model server. */
  readonly provider: string | undefined;
  readonly sabotage: Sabotage | undefined;
}

/** @throws TypeError naming the mistake. */
export const parseDemoArguments = (argv: readonly string[]): DemoOptions => {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      json: { type: 'boolean', default: false },
      provider: { type: 'string' },
      sabotage: { type: 'string' },
      yes: { type: 'boolean', default: false },
    },
  });
  const { sabotage } = values;
  if (sabotage !== undefined && sabotage !== 'leak' && sabotage !== 'leftover')
    throw new TypeError(`--sabotage takes leak or leftover, not ${JSON.stringify(sabotage)}`);
  return { json: values.json, provider: values.provider, sabotage };
};
