export type { AnswerOptions } from './answer.ts';
export { attach, type AttachedProcess, type AttachOptions, type ExitStatus } from './attach.ts';
export { buildImage, type BuildImageOptions } from './build-image.ts';
export { type Builder, type BuilderFacts, chooseBuilder, detectBuilder } from './builder.ts';
export { capture } from './capture.ts';
export type { CaptureOptions, CaptureResult, EngineCommandEvent } from './command.ts';
export {
  type ContainerSummary,
  listContainers,
  type ListContainersOptions,
  removeContainer,
  type RemoveContainerOptions,
} from './containers.ts';
export { describeEngine, type DescribeEngineOptions } from './describe-engine.ts';
export { detectEngine, type DetectEngineOptions, pickEngine, surveyEngines, type SurveyEnginesOptions } from './detect.ts';
export type { Endpoint, EndpointSource } from './endpoint.ts';
export { ENGINE_DIFFERENCES, type EngineDifference, type Evidence } from './engine-differences.ts';
export type { EngineDetails } from './engine-details.ts';
export type { EngineTraits } from './engine-traits.ts';
export type { Engine, EngineLocation, Platform } from './engine.ts';
export {
  EngineError,
  type EngineErrorCode,
  type EngineErrorDetails,
  type EngineErrorOf,
  isEngineError,
  type UnreachableReason,
} from './error.ts';
export { execArguments, type ExecSpec } from './exec-arguments.ts';
export type { EngineFinding } from './finding.ts';
export { findProgram, type FindProgramOptions } from './find-program.ts';
export type { HostEntry } from './host-entry.ts';
export { pullImage, type PullImageOptions, removeImage } from './images.ts';
export { type ImageInfo, inspectImage } from './inspect-image.ts';
export { type BindMount, type Mount, mountArgument, type TmpfsMount, type VolumeMount } from './mount.ts';
export { MINIMUM_VERSIONS } from './minimum-versions.ts';
export { ENGINE_NAMES, ENGINE_VARIANTS, type EngineName, type EngineVariant, isEngineName } from './names.ts';
export { ENDPOINT_FORMS, formatEndpoint, parseEndpoint, type ParseEndpointOptions } from './parse-endpoint.ts';
export { type PortConflict, portConflict } from './port-conflict.ts';
export { resolveEndpoint, type ResolvedEndpoint, type ResolveEndpointOptions } from './resolve-endpoint.ts';
export { type PortBinding, runArguments, type RunSpec } from './run-arguments.ts';
export { type EngineKind, traitsOf, variantOf } from './traits-of.ts';
export { provisionVolume, type ProvisionVolumeOptions } from './provision-volume.ts';
export { createVolume, type CreateVolumeOptions, inspectVolumes, removeVolume, type VolumeInfo } from './volumes.ts';
