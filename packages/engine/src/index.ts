export type { AnswerOptions } from './command/answer.ts';
export { attach, type AttachedProcess, type AttachOptions, type ExitStatus } from './command/attach.ts';
export { buildImage, type BuildImageOptions } from './image/build-image.ts';
export { type Builder, type BuilderFacts, chooseBuilder, detectBuilder } from './image/builder.ts';
export { capture } from './command/capture.ts';
export { isClientVariable } from './command/client-variables.ts';
export type { CaptureOptions, CaptureResult, EngineCommandEvent } from './command/command.ts';
export {
  type ContainerSummary,
  listContainers,
  type ListContainersOptions,
  removeContainer,
  type RemoveContainerOptions,
} from './container/containers.ts';
export { describeEngine, type DescribeEngineOptions } from './detect/describe-engine.ts';
export { detectEngine, type DetectEngineOptions, pickEngine, surveyEngines, type SurveyEnginesOptions } from './detect/detect.ts';
export type { Endpoint, EndpointSource } from './endpoint/endpoint.ts';
export { ENGINE_DIFFERENCES, type EngineDifference, type Evidence } from './differences/engine-differences.ts';
export type { EngineDetails } from './detect/engine-details.ts';
export type { EngineTraits } from './differences/engine-traits.ts';
export type { Engine, EngineLocation, Platform } from './engine.ts';
export {
  EngineError,
  type EngineErrorCode,
  type EngineErrorDetails,
  type EngineErrorOf,
  isEngineError,
  type UnreachableReason,
} from './error.ts';
export { execArguments, type ExecSpec } from './container/exec-arguments.ts';
export type { EngineFinding } from './detect/finding.ts';
export { findProgram, type FindProgramOptions } from './command/find-program.ts';
export type { HostEntry } from './container/host-entry.ts';
export { pullImage, type PullImageOptions, removeImage } from './image/images.ts';
export { type ImageInfo, inspectImage } from './image/inspect-image.ts';
export { type BindMount, type Mount, mountArgument, type TmpfsMount, type VolumeMount } from './container/mount.ts';
export { MINIMUM_VERSIONS } from './detect/minimum-versions.ts';
export { ENGINE_NAMES, ENGINE_VARIANTS, type EngineName, type EngineVariant, isEngineName } from './names.ts';
export { ENDPOINT_FORMS, formatEndpoint, parseEndpoint, type ParseEndpointOptions } from './endpoint/parse-endpoint.ts';
export { type PortConflict, portConflict } from './container/port-conflict.ts';
export { resolveEndpoint, type ResolvedEndpoint, type ResolveEndpointOptions } from './endpoint/resolve-endpoint.ts';
export { type PortBinding, runArguments, type RunSpec } from './container/run-arguments.ts';
export { type EngineKind, traitsOf, variantOf } from './differences/traits-of.ts';
export { provisionVolume, type ProvisionVolumeOptions } from './volume/provision-volume.ts';
export { createVolume, type CreateVolumeOptions, inspectVolumes, removeVolume, type VolumeInfo } from './volume/volumes.ts';
