import { type Engine, inspectImage } from '@doompi-sandbox/engine';
import { imageAgeDays, lookUpImage } from '@doompi-sandbox/image';
import { defineSessionImage } from '../launch/image/session-image.ts';
import type { Environment, Settings } from '../launch/settings/settings.ts';
import { finding, type Finding } from './finding.ts';

export interface ImageFacts {
  readonly reference: string;
  readonly baseImage: string;
  readonly agent: string;
  readonly agentVersion: string;
  /** Null: there is no engine to ask. */
  readonly present: boolean | null;
  readonly id: string | null;
  readonly createdAt: string | null;
  readonly ageDays: number | null;
  readonly sizeBytes: number | null;
  /** Whether a build would find its base image; null when the image is there, or there is no engine to ask. */
  readonly basePresent: boolean | null;
}

export interface ImageQuestion {
  readonly settings: Settings;
  readonly environment: Environment;
  readonly cwd: string;
  readonly engine: Engine | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Deadline of each of the engine's commands, in milliseconds. */
  readonly timeoutMs: number;
}

/** @throws ImageError or EngineError, as a launch does. */
export const imageFacts = async (question: ImageQuestion): Promise<ImageFacts> => {
  const { settings, environment, cwd, engine, now, timeoutMs } = question;
  const { reference, baseImage, agent, agentVersion } = await defineSessionImage({
    settings,
    environment,
    workingDirectory: cwd,
  });
  const image = engine === undefined ? undefined : await lookUpImage(engine, reference, { timeoutMs });
  const askBase = engine !== undefined && image === undefined;
  return {
    reference,
    baseImage,
    agent: agent.id,
    agentVersion,
    present: engine === undefined ? null : image !== undefined,
    id: image?.id ?? null,
    createdAt: image?.createdAt || null,
    ageDays: image === undefined ? null : (imageAgeDays(image.createdAt, now) ?? null),
    sizeBytes: image?.sizeBytes ?? null,
    basePresent: askBase ? (await inspectImage(engine, baseImage, { timeoutMs })) !== undefined : null,
  };
};

/** Days after which an image should be refreshed: Debian publishes security updates several times a week. */
const FRESH_DAYS = 30;

export const judgeImage = ({ reference, baseImage, present, ageDays, basePresent }: ImageFacts): readonly Finding[] => {
  const findings: Finding[] = [];
  if (present === false) findings.push(finding('ok', 'image-missing', `${reference} is not there yet`));
  if (basePresent === false)
    findings.push(finding('warning', 'base-image-missing', `the engine does not have the base image ${baseImage}`));
  if (ageDays !== null && ageDays > FRESH_DAYS)
    findings.push(finding('warning', 'image-outdated', `${reference} was built ${ageDays} days ago`));
  return findings;
};
