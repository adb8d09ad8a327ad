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

export const HELP = `Usage: npm run demo -- [options]

Runs a real Pi in a real container against a model server on this host and looks for the key everywhere it must not be.

  --json             print the outcome as one JSON object on the last line
  --provider NAME    use this real provider with your own key (a real call, which may cost money)
  --sabotage WHAT    break the demo on purpose: leak (the key lies in the repository) or leftover (a container stays);
                     the demo must then fail
  --yes              set-up: install and start what is missing without asking
`;

/** @throws TypeError naming the mistake. */
export const parseDemoArguments = (argv: readonly string[]): DemoOptions | 'help' => {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      json: { type: 'boolean', default: false },
      provider: { type: 'string' },
      sabotage: { type: 'string' },
      yes: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return 'help';
  const { sabotage } = values;
  if (sabotage !== undefined && sabotage !== 'leak' && sabotage !== 'leftover')
    throw new TypeError(`--sabotage takes leak or leftover, not ${JSON.stringify(sabotage)}`);
  return { json: values.json, provider: values.provider, sabotage };
};
