import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatSessionFile, type SessionFile } from '@doompi-sandbox/contract';
import { build } from 'tsup';
import config from '../../tsup.config.ts';

const PI = join(import.meta.dirname, '../../node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js');

/** A command of Pi's RPC mode, and the text of an output line that comes when it is done. */
export interface RpcStep {
  readonly send: Record<string, unknown>;
  readonly until: string;
}

export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface PiRun {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly rpc?: readonly RpcStep[];
}

export interface World extends AsyncDisposable {
  readonly directory: string;
  readonly sessionDirectory: string;
  /** A file that loads the extension for `sessionDirectory`, and notes each load in `loads`. */
  readonly extension: string;
  /** Another file that does the same. */
  readonly copy: string;
  readonly agentDirectory: string;
  loads(): Promise<number>;
  settings(value: Record<string, unknown>): Promise<void>;
  session(broker?: SessionFile['broker']): Promise<void>;
  noSession(): Promise<void>;
  pi(run: PiRun): Promise<Finished>;
}

const wrapper = (sessionDirectory: string, loads: string): string => `
import { appendFileSync } from 'node:fs';
import { createSandboxExtension } from './dist/index.js';
const extension = createSandboxExtension({
  environment: process.env,
  sessionDirectory: ${JSON.stringify(sessionDirectory)},
  print: (line) => process.stderr.write(line + '\\n'),
});
export default async (pi) => {
  appendFileSync(${JSON.stringify(loads)}, '.');
  await extension(pi);
};
`;

/** A home of its own, Pi 1.6 in it, and the extension built for a session directory of its own. */
export const world = async (): Promise<World> => {
  const directory = await mkdtemp(join(tmpdir(), 'extension-'));
  const [sessionDirectory, agentDirectory, workspace] = ['session', 'agent', 'workspace'].map((name) =>
    join(directory, name),
  ) as [string, string, string];
  await Promise.all([sessionDirectory, agentDirectory, workspace].map(async (path) => mkdir(path)));
  await build({ ...config, config: false, dts: false, silent: true, outDir: join(directory, 'dist') });
  const loads = join(directory, 'loads');
  const text = wrapper(sessionDirectory, loads);
  await Promise.all([
    writeFile(join(directory, 'extension.mjs'), text),
    writeFile(join(directory, 'copy.mjs'), text),
    writeFile(loads, ''),
  ]);
  const file = join(sessionDirectory, 'session');

  const pi = async ({ args, env = {}, rpc }: PiRun): Promise<Finished> => {
    const child = spawn(process.execPath, [PI, ...args], {
      cwd: workspace,
      env: {
        PATH: process.env['PATH'],
        HOME: directory,
        PI_CODING_AGENT_DIR: agentDirectory,
        PI_OFFLINE: '1',
        ANTHROPIC_API_KEY: 'sk-token',
        ...env,
      },
    });
    let stdout = '';
    let stderr = '';
    let from = 0;
    const steps = [...(rpc ?? [])];
    const next = (): void => {
      from = stdout.length;
      if (steps[0] === undefined) child.stdin.end();
      else child.stdin.write(`${JSON.stringify(steps[0].send)}\n`);
    };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
      if (steps[0] === undefined || !stdout.slice(from).includes(steps[0].until)) return;
      steps.shift();
      next();
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    next();
    return new Promise((resolve, reject) => {
      child.once('error', reject).once('close', (status) => resolve({ status, stdout, stderr }));
    });
  };

  return {
    directory,
    sessionDirectory,
    agentDirectory,
    extension: join(directory, 'extension.mjs'),
    copy: join(directory, 'copy.mjs'),
    loads: async () => (await readFile(loads, 'utf8')).length,
    settings: async (value) => writeFile(join(agentDirectory, 'settings.json'), JSON.stringify(value)),
    session: async (broker) =>
      writeFile(
        file,
        formatSessionFile({
          version: 1,
          sessionId: 'session-1',
          transports: [{ transport: 'tunnel', path: '/run/doompi-tunnel/launcher.sock' }],
          ...(broker && { broker }),
        }),
      ),
    noSession: async () => rm(file, { force: true }),
    pi,
    [Symbol.asyncDispose]: async () => rm(directory, { recursive: true, force: true }),
  };
};

/** Session file content for calls of Anthropic through this port. */
export const anthropicThrough = (bridgePort: number): SessionFile['broker'] & object => ({
  bridgePort,
  providers: [{ id: 'anthropic', upstreamHost: 'api.anthropic.com' }],
});
