import type { ImageInfo, Mount } from '@doompi-sandbox/engine';
import { imageAgeDays, type ImageDefinition } from '@doompi-sandbox/image';
import { formatNotice, type Notice } from '../../notice.ts';
import { engineFacts, type EngineFacts } from './engine-facts.ts';
import type { Facts } from '../facts/facts.ts';
import type { LaunchPlan } from './plan.ts';
import { safeArguments } from './safe-arguments.ts';
import { safeEnvironment, type PreviewVariable } from './safe-environment.ts';
import type { Settings } from '../settings/settings.ts';

export interface PreviewMount {
  readonly type: Mount['type'];
  /** Path on the host, or name of a volume; null for a file system in memory. */
  readonly source: string | null;
  readonly target: string;
  readonly readOnly: boolean;
}

/**
 * What a launch would do, as JSON: keys stay, absent is null. Holds no secret, so it is always safe to print.
 */
export interface LaunchPreview {
  /** Version of this shape. Keys may be added to it. */
  readonly version: 1;
  /** With the absolute path of its command. */
  readonly engine: EngineFacts & { readonly file: string };
  readonly image: {
    readonly reference: string;
    /** False: the launch builds it first. */
    readonly present: boolean;
    readonly id: string | null;
    readonly ageDays: number | null;
    readonly baseImage: string;
    readonly agent: string;
    readonly agentVersion: string;
  };
  readonly repository: { readonly root: string; readonly cwd: string; readonly devcontainer: string | null };
  readonly identity: {
    /** Null: the image's own user. */
    readonly user: { readonly uid: number; readonly gid: number } | null;
    /** Null: the engine's own user namespace. */
    readonly userns: 'host' | 'keep-id' | null;
    /** What the agent sees itself as. */
    readonly inside: { readonly uid: number; readonly gid: number };
  };
  readonly container: {
    /** The agent and its arguments; the values of options that sound like secrets are hidden. */
    readonly command: readonly string[];
    readonly workdir: string;
    /** Whether a terminal is allocated: as the streams of this process are. */
    readonly tty: boolean;
    /** Null: the engine's default network. */
    readonly network: string | null;
  };
  readonly mounts: readonly PreviewMount[];
  /** In the order in which they are tried. */
  readonly transports: readonly string[];
  readonly environment: readonly PreviewVariable[];
  readonly broker: {
    readonly enabled: boolean;
    /** Of the bridge, inside; null when nothing is brokered. */
    readonly port: number | null;
    readonly credentials: readonly { readonly variable: string; readonly providers: readonly string[] }[];
  };
  /** What the launch would say, with `text` as it would be printed. */
  readonly notices: readonly (Notice & { readonly text: string })[];
}

export interface PreviewInput {
  readonly settings: Settings;
  readonly facts: Facts;
  readonly plan: LaunchPlan;
  readonly definition: ImageDefinition;
  readonly image: ImageInfo | undefined;
  /** Values of the host's environment that must not be shown. */
  readonly secrets: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

const previewMount = (mount: Mount): PreviewMount =>
  mount.type === 'tmpfs'
    ? { type: mount.type, source: null, target: mount.target, readOnly: false }
    : { type: mount.type, source: mount.source, target: mount.target, readOnly: mount.readOnly === true };

/** A plan, and what it was made from, as data for a reader. Pure. */
export const previewOf = ({ settings, facts, plan, definition, image, secrets, now }: PreviewInput): LaunchPreview => {
  const { engine, repository, credentials } = facts;
  const { run } = plan;
  return {
    version: 1,
    engine: { file: engine.file, ...engineFacts(engine) },
    image: {
      reference: run.image,
      present: image !== undefined,
      id: image?.id ?? null,
      ageDays: image === undefined ? null : (imageAgeDays(image.createdAt, now) ?? null),
      baseImage: definition.baseImage,
      agent: definition.agent.id,
      agentVersion: definition.agentVersion,
    },
    repository: { root: repository.root, cwd: repository.cwd, devcontainer: repository.devcontainer ?? null },
    identity: { user: run.user ?? null, userns: run.userns ?? null, inside: plan.inside },
    container: { command: safeArguments(run.command, secrets), workdir: run.workdir, tty: run.tty, network: run.network ?? null },
    mounts: run.mounts.map(previewMount),
    transports: plan.transport.candidates,
    environment: safeEnvironment(plan),
    broker: {
      enabled: settings.broker,
      port: plan.bridgePort ?? null,
      credentials: credentials.map(({ variable, providers }) => ({ variable, providers })),
    },
    notices: plan.notices.map((notice) => ({ ...notice, text: formatNotice(notice) })),
  };
};
