import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { admit } from './admission.ts';
import { printable, publishRefusal, publishRequest, type RequestOutcome } from './diagnostics.ts';
import { decide, type Decision, type DecisionContext } from './decision.ts';
import { Exchange } from './forward.ts';
import { isRefusal, rawRefusal, refusalBody, REFUSAL_STATUS, type RefusalCode } from './refusal.ts';
import type { Upstream } from './upstream.ts';

export interface HandlerContext extends DecisionContext {
  readonly upstream: Upstream;
}

/** Callbacks for one HTTP server, or for connections that come another way. */
export interface Handler {
  request(request: IncomingMessage, response: ServerResponse): void;
  /** The client waits for `100 Continue` before it sends the body. */
  checkContinue(request: IncomingMessage, response: ServerResponse): void;
  /** The client expects something that is not in HTTP/1.1. */
  checkExpectation(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex): void;
  connect(request: IncomingMessage, socket: Duplex): void;
  /** Bytes that are no request. */
  malformed(socket: Duplex, code: 'headers_too_large' | 'invalid_request'): void;
}

const pathOf = (request: IncomingMessage): string => printable((request.url ?? '').split('?', 1)[0] ?? '');

const reportRefusal = (request: IncomingMessage, code: RefusalCode, session: string | undefined, provider?: string): void =>
  publishRefusal(() => ({
    session,
    provider,
    method: printable(request.method ?? ''),
    path: pathOf(request),
    code,
    status: REFUSAL_STATUS[code],
  }));

const sendRefusal = (response: ServerResponse, code: RefusalCode, close: boolean): void => {
  const body = refusalBody(code);
  response.writeHead(REFUSAL_STATUS[code], {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(close ? { connection: 'close' } : undefined),
  });
  response.end(body);
};

/** Answers on a connection that has left HTTP, and ends it. */
const endWith = (socket: Duplex, code: RefusalCode): void => {
  socket.on('error', () => undefined);
  socket.resume();
  socket.end(rawRefusal(code), () => socket.destroy());
};

/** Makes the handler of a broker: one straight line per request, whatever brought the connection. */
export const createHandler = (context: HandlerContext): Handler => {
  const handle = (request: IncomingMessage, response: ServerResponse, decision: Decision, expectation: boolean): void => {
    const started = performance.now();
    const session = decision.grant?.session;
    const { provider } = decision;
    const publish = (outcome: RequestOutcome): void =>
      publishRequest(() => ({
        session,
        provider,
        method: printable(request.method ?? ''),
        path: pathOf(request),
        status: response.headersSent ? response.statusCode : 0,
        outcome,
        durationMs: performance.now() - started,
      }));
    const refuse = (code: RefusalCode, close: boolean): void => {
      reportRefusal(request, code, session, provider);
      sendRefusal(response, code, close);
      // The client can read its answer only when its upload has been taken.
      request.resume();
    };
    if ('refused' in decision) {
      response.on('close', () => publish('refused'));
      // Without `100 Continue` a client may send its body or not, so nothing after it on this connection is certain.
      refuse(decision.refused, expectation);
      return;
    }
    const { grant, plan } = decision;
    const exchange = new Exchange(request, response, {
      refuse: (code) => refuse(code, false),
      done: (outcome) => {
        grant.exchanges.delete(exchange);
        publish(outcome);
      },
    });
    grant.exchanges.add(exchange);
    if (expectation) response.writeContinue();
    const { dispatcher } = context.upstream;
    if (dispatcher) exchange.start(plan, dispatcher);
    else
      context.upstream.load().then(
        (loaded) => exchange.start(plan, loaded),
        (error: unknown) => exchange.onResponseError(undefined, error),
      );
  };

  /** A request that is refused in any case; only a valid token learns why. */
  const refusalFor = (request: IncomingMessage, code: RefusalCode): Decision => {
    const admission = admit(context.grants, request.rawHeaders, request.url ?? '');
    return isRefusal(admission) ? admission : { grant: admission.grant, refused: code };
  };

  const refuseRaw = (request: IncomingMessage, socket: Duplex, code: RefusalCode): void => {
    const decision = refusalFor(request, code);
    const refused = 'refused' in decision ? decision.refused : code;
    reportRefusal(request, refused, decision.grant?.session);
    endWith(socket, refused);
  };

  return {
    request: (request, response) => handle(request, response, decide(context, request), false),
    checkContinue: (request, response) => handle(request, response, decide(context, request), true),
    checkExpectation: (request, response) => handle(request, response, refusalFor(request, 'expectation_not_supported'), true),
    upgrade: (request, socket) => refuseRaw(request, socket, 'upgrade_not_supported'),
    connect: (request, socket) => refuseRaw(request, socket, 'connect_not_supported'),
    malformed: (socket, code) => {
      publishRefusal(() => ({
        session: undefined,
        provider: undefined,
        method: '',
        path: '',
        code,
        status: REFUSAL_STATUS[code],
      }));
      endWith(socket, code);
    },
  };
};
