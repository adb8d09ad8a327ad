import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { LABELS, SESSION_ENTRIES } from '@doompi-sandbox/contract';
import { formatNotice, type Notice } from '../notice.ts';
import { openSessionDirectory } from '../sessions/directory.ts';
import { openLifeline } from '../sessions/lifeline.ts';
import { ownerLabels } from '../sessions/owner.ts';
import { openTransports } from '../transport/open.ts';
import { HARNESS_VERSION } from '../version.ts';
import { chooseStorage } from '../storage/choose-storage.ts';
import { provisionVolumes } from '../storage/provision.ts';
import { applyPlan } from './apply/apply.ts';
import { openBrokerSession } from './apply/broker-session.ts';
import { exitCodeOf } from './apply/exit-status.ts';
import { gatherFacts } from './facts/facts.ts';
import { currentHost } from './facts/host.ts';
import { takeSignals, type Interruption } from './apply/interruption.ts';
import { refuseNesting } from './nesting.ts';
import { planLaunch } from './plan/plan.ts';
import { reportRefusals } from './apply/refusals.ts';
import { Resources } from '../resources.ts';
import { sessionImage } from './image/session-image.ts';
import { parseSettings, type Environment, type LauncherOptions } from './settings/settings.ts';
import { storageRequest } from './storage-request.ts';

/** One contained session. */
export interface SandboxLaunchRequest {
  /** Absolute path of the directory that the session sees, at the same path inside. */
  readonly repoRoot: string;
  /** Absolute path of the working directory, inside `repoRoot`. */
  readonly cwd: string;
  /** Arguments for the agent. */
  readonly forwardArgs: readonly string[];
  /** The host environment: settings, keys for the broker and what the allow-list lets in are taken from it. */
  readonly environment: Environment;
  /** Called with one line of text for each notice. */
  readonly onProgress?: (message: string) => void;
  /** Called with each notice as data, instead of `onProgress`. */
  readonly onNotice?: (notice: Notice) => void;
  /** Asks the person before something is used that belongs to another repository. Without it the answer is no. */
  readonly confirm?: (question: string) => Promise<boolean>;
}

export interface SandboxLauncher {
  /**
   * Runs the agent in a fresh container, with this process' standard streams, until it ends.
   * @returns the agent's exit code; 128 + N when signal N ended it.
   * @throws LaunchError, EngineError, ImageError or BrokerError when the session could not be started.
   */
  launchSandbox(request: SandboxLaunchRequest): Promise<number>;
}

/** 12 hex digits: unique among a person's sessions, short enough for a socket's path. */
const newSessionId = (): string => randomBytes(6).toString('hex');

const run = async (
  request: SandboxLaunchRequest,
  options: LauncherOptions,
  interruption: Interruption,
  resources: Resources,
): Promise<number> => {
  const { environment, repoRoot, cwd, forwardArgs } = request;
  const onNotice = request.onNotice ?? ((notice: Notice) => request.onProgress?.(formatNotice(notice)));
  const settings = parseSettings(options, environment);
  const host = currentHost();
  const facts = await gatherFacts({ settings, environment, repoRoot, cwd, host });
  const { engine, credentials } = facts;
  for (const { candidate, reason } of facts.skippedEngines) onNotice({ code: 'engine-skipped', candidate, reason });
  onNotice({ code: 'engine', engine: engine.name, version: engine.serverVersion });
  const image = await sessionImage({
    settings,
    engine,
    environment,
    workingDirectory: cwd,
    signal: interruption.signal,
    onNotice,
  });
  interruption.signal.throwIfAborted();

  const sessionId = newSessionId();
  const wanted = storageRequest(facts, image.definition.agent, image.modules, environment);
  const storage = await chooseStorage(engine, { ...wanted, confirm: request.confirm });
  interruption.signal.throwIfAborted();
  for (const notice of storage.notices) onNotice(notice);
  await provisionVolumes(engine, {
    missing: storage.missing,
    image: image.reference,
    containerLabels: { [LABELS.repository]: facts.repository.root, [LABELS.session]: sessionId, ...ownerLabels(facts.owner) },
    signal: interruption.signal,
  });
  interruption.signal.throwIfAborted();
  const directory = resources.use(
    await openSessionDirectory({
      runtimeDirectory: environment['XDG_RUNTIME_DIR'],
      temporaryDirectory: host.temporaryDirectory,
      uid: host.uid,
      repository: facts.repository.root,
    }),
  );
  const { mount } = directory;
  const command = [image.definition.agent.command, ...forwardArgs];
  const plan = planLaunch({
    settings,
    facts,
    environment,
    sessionId,
    imageReference: image.reference,
    command,
    volumes: storage.volumes,
    version: HARNESS_VERSION,
    sessionMount: mount,
  });
  for (const notice of plan.notices) onNotice(notice);
  const sockets = plan.transport.candidates.includes('socket') ? mount : undefined;
  const lifeline = resources.use(await openLifeline(sockets && join(sockets, SESSION_ENTRIES.lifeline)));
  const brokered = await openBrokerSession({ sessionId, mount: sockets, credentials, upstreams: settings.upstreams }, resources);
  const broker = brokered?.broker;
  const transports = await openTransports(
    { plan: plan.transport, engine, lifeline, broker, directory: directory.path, onNotice },
    resources,
  );
  const refusals = reportRefusals({ sessionId, hold: plan.run.tty, onNotice });
  resources.defer(() => refusals[Symbol.dispose]());
  onNotice({ code: 'starting', reference: image.reference });
  return applyPlan({
    plan,
    onNotice,
    engine,
    host,
    environment,
    session: brokered?.session,
    repository: facts.repository.root,
    mount,
    interruption,
    lifeline,
    transports,
  });
};

/** A launcher with options of its own for every launch. */
export const createSandboxLauncher = (options: LauncherOptions = {}): SandboxLauncher => ({
  launchSandbox: async (request) => {
    refuseNesting(request.environment);
    const interruption = takeSignals();
    const resources = new Resources();
    try {
      return await run(request, options, interruption, resources);
    } catch (failure) {
      if (interruption.abortedBy !== undefined) return exitCodeOf({ signal: interruption.abortedBy });
      throw failure;
    } finally {
      try {
        await resources[Symbol.asyncDispose]();
      } finally {
        interruption[Symbol.dispose]();
      }
    }
  },
});

/** Launches the `doompi` agent, or the one that `DOOMPI_SANDBOX_AGENT` names. See `SandboxLauncher.launchSandbox`. */
export const launchSandbox: SandboxLauncher['launchSandbox'] = async (request) => createSandboxLauncher().launchSandbox(request);
