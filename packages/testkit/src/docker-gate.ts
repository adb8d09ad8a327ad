import { runProgram } from './run-program.ts';

export interface DockerGateOptions {
  /** Default: this process's. `CI` set and not empty turns a reason into an error. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default 10000. */
  readonly timeoutMs?: number;
}

const askServer = async (env: Readonly<Record<string, string | undefined>>, timeoutMs: number): Promise<string | undefined> => {
  try {
    const answer = await runProgram('docker', ['version', '--format', '{{.Server.Version}}'], { env, timeoutMs });
    if (answer.exitCode === 0 && answer.stdout.trim() !== '') return undefined;
    const words = answer.stderr.trim().split('\n').at(-1) ?? '';
    return `no docker server answers: ${words === '' ? `docker version exits ${answer.exitCode ?? answer.signal}` : words}`;
  } catch (error) {
    const first = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return `no docker server answers: ${first}`;
  }
};

/**
 * Why tests against real docker cannot run here; undefined when they can.
 * Use: `const reason = await dockerGate(); describe.skipIf(reason !== undefined)(…)` after printing the reason, or
 * `it('…', ({ skip }) => { if (reason) skip(reason); … })`, which shows it in the report.
 * @throws Error when `CI` is set and docker does not answer: there a skip would hide that nothing was tested.
 */
export const dockerGate = async (options: DockerGateOptions = {}): Promise<string | undefined> => {
  const { env = process.env, timeoutMs = 10_000 } = options;
  const reason = await askServer(env, timeoutMs);
  if (reason !== undefined && (env['CI'] ?? '') !== '')
    throw new Error(`Docker tests must run where CI is set, but ${reason}. Run the set-up first: npm test does.`);
  return reason;
};
