import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import type { ForwardPlan } from './decision.ts';
import type { RequestOutcome } from './diagnostics.ts';
import { clientHeaders } from './headers.ts';
import type { RefusalCode } from './refusal.ts';
import { collectUpload, uploadStream } from './upload.ts';
import { upstreamFailure } from './upstream-failure.ts';

/** Bodies up to this many bytes are sent in one piece; longer ones are streamed. */
const ONE_PIECE = 64 * 1024;

/** What the caller does for an exchange. */
export interface ForwardHooks {
  /** Answers the client, whose response has not begun, with a refusal. */
  refuse(code: RefusalCode): void;
  /** Called once, when client and upstream are both done with. */
  done(outcome: RequestOutcome): void;
}

/** One request and its answer, streamed both ways. Whichever side ends early, the other is ended at once. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #hooks: ForwardHooks;
  #controller: Dispatcher.DispatchController | undefined;
  #outcome: RequestOutcome = 'complete';
  /** No more bytes go to the upstream or come from it. */
  #over = false;
  /** The client has its answer, or has gone. */
  #closed = false;

  constructor(request: IncomingMessage, response: ServerResponse, hooks: ForwardHooks) {
    this.#request = request;
    this.#response = response;
    this.#hooks = hooks;
    const { socket } = request;
    const onClose = (): void => {
      if (this.#closed) return;
      this.#closed = true;
      socket.off('close', onClose);
      if (!response.writableFinished && this.#outcome === 'complete') this.#outcome = 'client-abort';
      this.#stop();
      hooks.done(this.#outcome);
    };
    response.on('drain', () => this.#controller?.resume());
    response.on('close', onClose);
    // Node 22 does not close a response that waits behind another one on its connection.
    socket.on('close', onClose);
  }

  /** Sends the request. Called at most once. */
  start(plan: ForwardPlan, dispatcher: Dispatcher): void {
    const { method, target, framing } = plan;
    const send = (body: Dispatcher.DispatchOptions['body'], headers: string[]): void => {
      if (this.#over) return;
      dispatcher.dispatch({ origin: target.origin, path: target.path, method, headers, body: body ?? null }, this);
    };
    const headers = [...plan.headers];
    if (framing.body === 'none') send(null, headers);
    else if (framing.body === 'chunked') send(uploadStream(this.#request), headers);
    else if (framing.length > ONE_PIECE)
      send(uploadStream(this.#request), [...headers, 'content-length', String(framing.length)]);
    else collectUpload(this.#request, framing.length, (body) => send(body, headers));
  }

  /** Ends both sides: the session is over. */
  end(): void {
    this.#outcome = 'refused';
    this.#stop();
    this.#response.destroy();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The client left while the connection was being made.
    if (this.#over) controller.abort(new Error('the client has gone'));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    // Interim answers are the upstream's talk with us.
    if (this.#over || status < 200) return;
    if (status >= 300 && status !== 304 && status < 400) return this.#fail('upstream_redirect');
    const raw = controller.rawHeaders;
    const headers = Array.isArray(raw) ? raw.map((item) => (typeof item === 'string' ? item : item.toString('latin1'))) : [];
    const response = this.#response;
    response.writeHead(status, clientHeaders(headers));
    // The head leaves now, or in one write with the body bytes that came with it.
    const { socket } = response;
    socket?.cork();
    response.flushHeaders();
    if (socket) process.nextTick(() => socket.uncork());
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over) return;
    if (!this.#response.write(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    if (this.#over) return;
    this.#over = true;
    this.#response.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: unknown): void {
    if (!this.#over) this.#fail(upstreamFailure(error));
  }

  #fail(code: RefusalCode): void {
    this.#outcome = 'upstream-error';
    this.#stop();
    // A response that has begun cannot be taken back, and must not look complete.
    if (this.#response.headersSent) this.#response.destroy();
    else this.#hooks.refuse(code);
  }

  #stop(): void {
    if (this.#over) return;
    this.#over = true;
    this.#controller?.abort(new Error('the exchange has ended'));
  }
}
