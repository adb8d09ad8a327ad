export { type Agent, type AgentId, AGENTS, isAgentId } from './agents.ts';
export { hostCertificates } from './certificates.ts';
export type { ContextFile } from './context-file.ts';
export { DEFAULT_BASE_IMAGE, defineImage, isBaseImage, type ImageDefinition, type ImageOptions } from './define-image.ts';
export {
  type EnsuredImage,
  ensureImage,
  type EnsureImageOptions,
  type ImageBuildEvent,
  lookUpImage,
  type ImageProgress,
} from './ensure-image.ts';
export { ImageError, type ImageErrorCode, type ImageErrorDetails, type ImageErrorOf, isImageError } from './error.ts';
export { imageAgeDays } from './image-age.ts';
export { refreshImage, type RefreshedImage, type RefreshImageOptions } from './refresh-image.ts';
export { AGENT_HOME, BRIDGE_FILE, ENTRYPOINT, EXTENSION_FILE, HOME_DIRECTORY, PACKAGE_STORES, VOLUME_SEED } from './layout.ts';
export { type FileLockOptions, withFileLock } from './file-lock.ts';
