import { findCredentials } from '@doompi-sandbox/broker';
import { parseDemoArguments, type DemoOptions } from './arguments.ts';
import { demoEngine } from './engine.ts';
import { failureJson, formatOutcome, outcomeJson } from './report.ts';
import { isOk, runAgainstModelServer, runAgainstProvider, type Outcome } from './scenario.ts';

const run = async (options: DemoOptions): Promise<Outcome> => {
  const { provider } = options;
  const engine = await demoEngine(options.engine);
  if (provider === undefined) return runAgainstModelServer(engine, options);
  const credential = findCredentials(process.env).find(({ providers }) => providers.includes(provider));
  if (credential === undefined)
    throw new Error(`no key for ${provider}: set its variable, or leave --provider away to use the model server`);
  return runAgainstProvider(engine, options, credential);
};

const main = async (): Promise<number> => {
  let options: DemoOptions;
  try {
    options = parseDemoArguments(process.argv.slice(2));
  } catch (mistake) {
    console.error(`demo: error: ${mistake instanceof Error ? mistake.message : String(mistake)}\nSee npm run demo -- --help`);
    return 2;
  }
  try {
    const outcome = await run(options);
    console.log(`${formatOutcome(outcome)}\n\ndemo: ${isOk(outcome) ? 'ok' : 'FAILED'}`);
    if (options.json) console.log(outcomeJson(outcome));
    return isOk(outcome) ? 0 : 1;
  } catch (failure) {
    console.error(failure instanceof Error ? `demo: error: ${failure.message}` : String(failure));
    if (options.json) console.log(failureJson());
    return 1;
  }
};

process.exitCode = await main();
