/** The part of the extension interface of Pi 0.85 and 1.6 that is used here. */

export interface ExtensionUi {
  notify(message: string, type?: 'info' | 'warning' | 'error'): void;
  /** Shows `text` in the footer; undefined clears it. */
  setStatus(key: string, text: string | undefined): void;
}

export interface ExtensionContext {
  /** False in print and JSON mode, where `ui` does nothing. */
  readonly hasUI: boolean;
  readonly ui: ExtensionUi;
}

export interface ExtensionCommand {
  readonly description?: string;
  readonly handler: (args: string, context: ExtensionContext) => Promise<void>;
}

export interface ExtensionApi {
  /** Overrides the base URL of a provider, of all its models. Not persistent. */
  registerProvider(id: string, config: { baseUrl?: string }): void;
  registerCommand(name: string, command: ExtensionCommand): void;
  on(event: 'session_start', handler: (event: unknown, context: ExtensionContext) => void): unknown;
  /** Bus of the extensions of one session. Handlers run within `emit`; a reload removes them. */
  readonly events: {
    emit(channel: string, data: unknown): void;
    on(channel: string, handler: (data: unknown) => void): unknown;
  };
}
