export { attach, type AttachedProcess, type AttachOptions, type ExitStatus } from './attach.ts';
export { buildImage, type BuildImageOptions } from './build-image.ts';
export { type Builder, type BuilderFacts, chooseBuilder, detectBuilder } from './builder.ts';
export { capture } from './capture.ts';
export type { CaptureOptions, CaptureResult, EngineCommandEvent } from './command.ts';
export {
  type AnswerOptions,
  type ContainerSummary,
  listContainers,
  type ListContainersOptions,
  removeContainer,
} from './containers.ts';
export { detectEngine, type DetectEngineOptions } from './detect.ts';
export type { Engine, Platform } from './engine.ts';
export { EngineError, type EngineErrorCode, type EngineErrorDetails, type EngineErrorOf, isEngineError } from './error.ts';
export { findProgram, type FindProgramOptions } from './find-program.ts';
export { pullImage, type PullImageOptions, removeImage } from './images.ts';
export { type ImageInfo, inspectImage } from './inspect-image.ts';
export { type BindMount, type Mount, mountArgument, type TmpfsMount, type VolumeMount } from './mount.ts';
export { ENGINE_NAMES, type EngineName, isEngineName } from './names.ts';
export { type PortBinding, runArguments, type RunSpec } from './run-arguments.ts';
export { removeVolume } from './volumes.ts';
