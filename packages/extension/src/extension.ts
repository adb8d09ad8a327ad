import { redirectBaseUrl, type SessionFile } from '@doompi-sandbox/contract';
import { firstOfSession } from './first-of-session.ts';
import type { ExtensionApi } from './pi-api.ts';
import { readSandboxState, type SandboxSurroundings } from './sandbox-state.ts';
import { DefaultSandboxExtensionService, type SandboxExtensionService } from './status.ts';

export interface SandboxExtensionOptions extends SandboxSurroundings {
  /** Receives the answer of `/doom-sandbox`, a line, in modes that have no user interface. */
  readonly print: (line: string) => void;
}

/** Replaceable parts of an activation. */
export interface SandboxExtensionDependencies {
  readonly service?: SandboxExtensionService;
}

/** A factory as Pi calls it, once per session. */
export type SandboxExtension = (pi: ExtensionApi, dependencies?: SandboxExtensionDependencies) => Promise<void>;

const redirect = (pi: ExtensionApi, { broker }: SessionFile): void => {
  if (broker === undefined) return;
  for (const provider of broker.providers)
    pi.registerProvider(provider.id, { baseUrl: redirectBaseUrl(broker.bridgePort, provider) });
};

/**
 * The Pi extension: sends the calls of brokered providers through the bridge, inside a session only, and answers
 * `/doom-sandbox` everywhere. It opens nothing and stores nothing.
 */
export const createSandboxExtension =
  ({ environment, sessionDirectory, print }: SandboxExtensionOptions): SandboxExtension =>
  // An async function, so that a failure reaches Pi as a rejection that it reports with the extension's name.
  async (pi, { service = new DefaultSandboxExtensionService(environment, sessionDirectory) } = {}) => {
    if (!firstOfSession(pi)) return;
    const state = readSandboxState({ environment, sessionDirectory });
    if (state.kind === 'sandbox') {
      redirect(pi, state.session);
      pi.on('session_start', (_event, { hasUI, ui }) => {
        if (hasUI) ui.setStatus('doom-sandbox', 'sandbox: container');
      });
    }
    pi.registerCommand('doom-sandbox', {
      description: 'Show sandbox container status for this session',
      handler: async (_args, { hasUI, ui }) => {
        const { message, level } = await service.execute();
        if (hasUI) ui.notify(message, level);
        else print(message);
      },
    });
  };
