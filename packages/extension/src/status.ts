import { SANDBOX_MARKER, SESSION_DIRECTORY } from '@doompi-sandbox/contract';
import { readSandboxState, type SandboxState, type SandboxSurroundings } from './sandbox-state.ts';

export interface SandboxExtensionResult {
  readonly message: string;
  readonly level: 'info';
}

/** Says where the agent runs. */
export interface SandboxExtensionService {
  execute(): Promise<SandboxExtensionResult>;
}

/** Text for a person. */
export const describeSandbox = (state: SandboxState): string => {
  if (state.kind === 'host')
    return 'Host session: the agent, its extensions and its tools run on this machine. Relaunch with doompi-sandbox to run them inside a container.';
  if (state.kind === 'unclear')
    return `Unclear: ${SANDBOX_MARKER}=1 is set, but ${state.path} cannot be used (${state.reason}). No provider is brokered. Relaunch with doompi-sandbox.`;
  const { sessionId, broker } = state.session;
  const brokered =
    broker === undefined
      ? 'No provider is brokered.'
      : `Brokered providers: ${broker.providers.map(({ id }) => id).join(', ')}; their keys stay on the host.`;
  return `Sandboxed session ${sessionId}: the agent, its extensions and its tools run inside the container. ${brokered}`;
};

/** Looks at marker and session file each time it is asked. */
export class DefaultSandboxExtensionService implements SandboxExtensionService {
  readonly #surroundings: SandboxSurroundings;

  constructor(environment: SandboxSurroundings['environment'], sessionDirectory: string = SESSION_DIRECTORY) {
    this.#surroundings = { environment, sessionDirectory };
  }

  async execute(): Promise<SandboxExtensionResult> {
    return { message: describeSandbox(readSandboxState(this.#surroundings)), level: 'info' };
  }
}
