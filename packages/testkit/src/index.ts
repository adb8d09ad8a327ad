export { testCertificates, type TestCertificates } from './certificates.ts';
export { dockerGate, type DockerGateOptions } from './docker-gate.ts';
export { runOnVariant, variantProgram, type VariantProgram, type VariantProgramOptions } from './engine-variants/as-user.ts';
export { copyImage, type CopiedImage } from './engine-variants/copy-image.ts';
export { installForUsers, type Installation } from './engine-variants/install-for-users.ts';
export {
  engineVariant,
  type EngineVariant,
  type EngineVariantId,
  type EngineVariantOptions,
  type TestUser,
} from './engine-variants/variant.ts';
export type { ModelBehaviour } from './model-server/behaviour.ts';
export type { CredentialSlot, ModelApi } from './model-server/dialect.ts';
export type { RecordedCredential, RecordedRequest } from './model-server/record.ts';
export { startModelServer, type ModelServer, type ModelServerOptions } from './model-server/server.ts';
export { removeByLabel } from './remove-by-label.ts';
export { runProgram, type ProgramResult, type RunProgramOptions } from './run-program.ts';
export { scratchRepository, type ScratchRepository, type ScratchRepositoryOptions } from './scratch-repository.ts';
export { packStandInAgent, type StandInAgent } from './stand-in-agent.ts';
export { stubPrograms, type StubPrograms } from './stub-programs.ts';
export { temporaryDirectory, type TemporaryDirectory } from './temporary-directory.ts';
export { spawnInTerminal, type TerminalOptions, type TerminalProcess } from './terminal.ts';
export { waitFor, waitForEvent, within, type WaitOptions } from './wait-for.ts';
