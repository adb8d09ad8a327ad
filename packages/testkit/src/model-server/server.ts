import { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { waitForEvent } from '../wait-for.ts';
import { anthropicMessages } from './anthropic.ts';
import { tokensOf, type ModelBehaviour } from './behaviour.ts';
import { isRecord, type Dialect } from './dialect.ts';
import { googleGenerativeAi } from './google.ts';
import { openaiCompletions, openaiResponses } from './openai.ts';
import { record, type MutableRecord, type RecordedRequest } from './record.ts';
import { writeEvents } from './stream.ts';

export interface ModelServerOptions extends ModelBehaviour {
  /** The one key that opens the server, in the header that the API asked for expects. */
  readonly key: string;
  /** Address to listen on, default 127.0.0.1. The port is an ephemeral one. */
  readonly host?: string;
  /** PEM key and certificate: the server then speaks https. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Overrides the options for one request: its record and how many came before it. */
  readonly behave?: (request: RecordedRequest, index: number) => ModelBehaviour | undefined;
}

export interface ModelServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** Every request so far, refused ones included; each is recorded when its body has been read. */
  readonly requests: readonly RecordedRequest[];
  /** TCP connections opened so far; more than requests when a client connects and sends nothing. */
  readonly connections: number;
  /** The first request for which `when` holds and whose answer has ended, past ones included. Throws after `timeoutMs` (default 10000). */
  settled(when?: (request: RecordedRequest) => boolean, options?: { readonly timeoutMs?: number }): Promise<RecordedRequest>;
  /** Closes the listener and every connection. */
  close(): Promise<void>;
}

const DIALECTS: readonly Dialect[] = [anthropicMessages, openaiCompletions, openaiResponses, googleGenerativeAi];

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

const sendJson = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers });
  response.end(text);
};

const answerTo = (behaviour: ModelBehaviour, prompt: string, entry: RecordedRequest): string => {
  const { answer = `The model server heard: ${prompt}` } = behaviour;
  return typeof answer === 'function' ? answer(prompt, entry) : answer;
};

/** Answers an authorised request, or an unauthorised one with the provider's refusal. Sets the record's status and outcome. */
const respond = async (
  response: ServerResponse,
  entry: MutableRecord,
  dialect: Dialect,
  pathname: string,
  key: string,
  behaviour: ModelBehaviour,
  gone: AbortSignal,
): Promise<void> => {
  const slot = dialect.slot(key);
  const refuse = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): void => {
    entry.status = status;
    sendJson(response, status, behaviour.errorBody ?? dialect.error(status, message), headers);
    entry.outcome = 'completed';
  };
  if (!entry.credentials.some((credential) => credential.slot === slot && credential.isRealKey))
    return refuse(401, `invalid ${slot}`);
  if (behaviour.redirect !== undefined) return refuse(302, 'moved', { location: behaviour.redirect, ...behaviour.headers });
  if ((behaviour.status ?? 200) >= 400)
    return refuse(behaviour.status ?? 500, `answered with ${behaviour.status} as told`, behaviour.headers);
  const request = { pathname, body: isRecord(entry.body) ? entry.body : {} };
  const prompt = dialect.prompt(request);
  const tokens = tokensOf(answerTo(behaviour, prompt, entry));
  const answer = { model: dialect.model(request), tokens, inputTokens: tokensOf(prompt).length };
  entry.status = behaviour.status ?? 200;
  if (!dialect.streams(request)) {
    sendJson(response, entry.status, dialect.whole(answer), behaviour.headers);
    entry.outcome = 'completed';
    return undefined;
  }
  response.writeHead(entry.status, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'request-id': 'req_test0001',
    ...behaviour.headers,
  });
  const settle = (outcome: 'completed' | 'died'): void => {
    entry.outcome = outcome;
  };
  await writeEvents(response, dialect.events(answer), tokens, behaviour, gone, settle);
  return undefined;
};

const listen = async (server: Server, host: string): Promise<number> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  return (server.address() as AddressInfo).port;
};

/**
 * A real HTTP server that speaks Anthropic Messages, OpenAI completions and responses, and Google Generative AI,
 * streamed and whole. It answers 401 in the provider's own words to any other key than `options.key`,
 * and to the right key in the wrong header. A prefix before a known path is allowed: `/api/v1/chat/completions`.
 */
export const startModelServer = async (options: ModelServerOptions): Promise<ModelServer> => {
  const { key, host = '127.0.0.1', tls, behave, ...defaults } = options;
  const entries: MutableRecord[] = [];
  const events = new EventEmitter();
  const sockets = new Set<Socket>();
  let connections = 0;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const gone = new AbortController();
    const { method = 'GET' } = request;
    const url = new URL(`http://server${request.url ?? '/'}`);
    const dialect = DIALECTS.find((candidate) => candidate.matches(method, url.pathname));
    const entry = record({ method, url, headers: request.headers, bodyText: await bodyOf(request) }, dialect?.api, key);
    const index = entries.push(entry) - 1;
    response.once('close', () => {
      if (entry.outcome === 'open') entry.outcome = 'aborted';
      gone.abort();
      events.emit('settled');
    });
    if (dialect === undefined) {
      entry.status = 404;
      entry.outcome = 'completed';
      sendJson(response, 404, { error: { message: `no such path: ${method} ${url.pathname}` } });
      return;
    }
    const behaviour = { ...defaults, ...behave?.(entry, index) };
    await respond(response, entry, dialect, url.pathname, key, behaviour, gone.signal);
  };
  const listener: RequestListener = (request, response) => {
    handle(request, response).catch((error: unknown) => {
      // A client that went away in the middle of its request: there is nobody to answer.
      response.destroy(error instanceof Error ? error : undefined);
    });
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const port = await listen(server, host);
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${host}:${port}`,
    port,
    requests: entries,
    get connections() {
      return connections;
    },
    settled: async (when = () => true, { timeoutMs = 10_000 } = {}) => {
      const find = (): RecordedRequest | undefined => entries.find((entry) => entry.outcome !== 'open' && when(entry));
      if (find() === undefined)
        await waitForEvent(events, 'settled', { timeoutMs, what: 'a settled request', when: () => find() !== undefined });
      return find() as RecordedRequest;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
};
