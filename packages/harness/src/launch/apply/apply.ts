import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrokerSession } from '@doompi-sandbox/broker';
import { BRIDGE_EXIT } from '@doompi-sandbox/bridge';
import { formatSessionFile, SESSION_ENTRIES, type SessionFile } from '@doompi-sandbox/contract';
import { attach, runArguments, type Engine } from '@doompi-sandbox/engine';
import type { Notice } from '../../notice.ts';
import type { Lifeline } from '../../sessions/lifeline.ts';
import { makeMountPoint } from '../../storage/mount-points.ts';
import { transportFailure } from '../../transport/failure.ts';
import type { Transports } from '../../transport/open.ts';
import { concludeSession, ENGINE_FAILURE } from './conclude.ts';
import { signalDelivery } from './deliver.ts';
import { filesNotShared } from './files-not-shared.ts';
import type { Host } from '../facts/host.ts';
import type { ForwardedSignal } from './signals.ts';
import type { Interruption } from './interruption.ts';
import { passwdFiles } from '../plan/passwd.ts';
import type { LaunchPlan } from '../plan/plan.ts';
import { startLocks } from './start-locks.ts';
import { startInTurn } from './start-in-turn.ts';
import type { Environment } from '../settings/settings.ts';

export interface ApplyInput {
  readonly plan: LaunchPlan;
  readonly engine: Engine;
  readonly host: Host;
  readonly environment: Environment;
  readonly session: BrokerSession | undefined;
  /** Real path of the repository. */
  readonly repository: string;
  /** Host directory mounted at `/run/doompi`. */
  readonly mount: string;
  readonly onNotice: (notice: Notice) => void;
  readonly interruption: Interruption;
  readonly lifeline: Lifeline;
  readonly transports: Transports;
}

const sessionFile = ({ plan, session, transports }: ApplyInput): SessionFile => ({
  version: 1,
  sessionId: plan.sessionId,
  transports: transports.transports,
  writable: plan.writable,
  ...(session === undefined || plan.bridgePort === undefined
    ? {}
    : { broker: { bridgePort: plan.bridgePort, providers: session.providers } }),
});

/** What the container finds in the session directory, beside sockets. */
const sessionFiles = (input: ApplyInput) =>
  ({
    session: formatSessionFile(sessionFile(input)),
    ...passwdFiles({ name: input.host.userName, ...input.plan.inside }),
  }) satisfies Partial<Record<keyof typeof SESSION_ENTRIES, string>>;

/** Values for the engine client's own environment, which `-e NAME` reads. Never logged, never in an argument. */
const clientEnvironment = ({ plan, environment, session }: ApplyInput): Record<string, string | undefined> => {
  // What is named takes its value from here, or none: the client's own must not slip in.
  const unset = Object.fromEntries(plan.run.environment.map((name) => [name, undefined]));
  const values: Record<string, string | undefined> = { ...unset, ...plan.environment };
  for (const name of plan.passed) values[name] = environment[name] ?? '';
  for (const name of plan.tokens) {
    const token = session?.environment[name];
    if (token !== undefined) values[name] = token;
  }
  return values;
};

/** Starts the container, stays attached until it ends and answers the agent's own exit status as a number. */
export const applyPlan = async (input: ApplyInput): Promise<number> => {
  const { plan, engine, host, interruption, lifeline } = input;
  await Promise.all([
    ...Object.entries(sessionFiles(input)).map(async ([entry, content]) =>
      writeFile(join(input.mount, SESSION_ENTRIES[entry as keyof typeof SESSION_ENTRIES]), content, { mode: 0o644 }),
    ),
    ...plan.mountPoints.map(async (path) => makeMountPoint(input.repository, path)),
  ]);
  interruption.signal.throwIfAborted();
  const turn = {
    engine,
    volume: plan.run.mounts.find((mount) => mount.type === 'volume')?.source,
    lockDirectory: startLocks(input.environment),
    running: lifeline.firstConnection,
    signal: interruption.signal,
    onWait: () => input.onNotice({ code: 'start-waiting' }),
  };
  const process = await startInTurn(turn, () =>
    attach(engine, runArguments(plan.run, engine), {
      environment: clientEnvironment(input),
      stdio: 'inherit',
      // Without a terminal the client gets a process group of its own, so that a signal sent to our group reaches the agent once.
      detached: !host.stdinIsTerminal,
    }),
  );
  const container = plan.run.name;
  const send = signalDelivery({ engine, client: process, container, running: () => lifeline.connected });
  const early = new Set<ForwardedSignal>();
  interruption.deliverTo((signal) => {
    if (!lifeline.connected) early.add(signal);
    // Typed on a terminal that the engine did not put into raw mode, it went to the client's group already.
    const typed = host.stdinIsTerminal && !plan.run.tty && (signal === 'SIGINT' || signal === 'SIGQUIT');
    if (!typed) send(signal);
  });
  // The client passes a signal to a container that does not run yet, where it is lost.
  const deliverAgain = async (): Promise<void> => {
    await lifeline.firstConnection;
    for (const signal of early) send(signal);
  };
  void deliverAgain();
  const tunnel = container === undefined ? undefined : input.transports.dial(container);
  const status = await process.exited.finally(() => tunnel?.stopDialling());
  const code = await concludeSession({ sessionId: plan.sessionId, engine, status, interruption, lifeline });
  if (code === BRIDGE_EXIT.unreachable && !lifeline.connected) throw transportFailure(plan.transport, tunnel?.problem);
  if (code === ENGINE_FAILURE && !lifeline.connected && engine.location === 'remote') throw filesNotShared(engine);
  return code;
};
