import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface CallOptions {
  readonly path: string;
  readonly target: string;
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
  readonly agent?: Agent;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** One request over the broker's socket, with Node's own client. Rejects when the answer is cut off. */
export const call = ({ path, target, method = 'POST', headers, body, agent }: CallOptions): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = httpRequest({
      socketPath: path,
      path: target,
      method,
      headers: { host: '127.0.0.1:8317', ...headers },
      ...(agent ? { agent } : { agent: new Agent({ keepAlive: false }) }),
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() }),
      );
    });
    request.end(body);
  });

/** A raw connection to the broker. */
export interface RawClient {
  readonly socket: Socket;
  send(text: string): void;
  /** Everything received so far. */
  received(): string;
  /** Resolves with everything received when it matches; rejects when the connection ends before. */
  until(pattern: RegExp): Promise<string>;
  /** Resolves with everything received when the connection has ended. */
  readonly ended: Promise<string>;
}

export const connectRaw = async (path: string): Promise<RawClient> => {
  const socket = connect(path);
  await once(socket, 'connect');
  onTestFinished(() => void socket.destroy());
  let text = '';
  let over = false;
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const check of waiting) check();
  };
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    wake();
  });
  socket.on('error', () => undefined);
  const ended = new Promise<string>((resolve) => {
    socket.on('close', () => {
      over = true;
      wake();
      resolve(text);
    });
  });
  const until = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        if (pattern.test(text)) resolve(text);
        else if (over) reject(new Error(`ended before ${pattern}: ${text}`));
        else return;
        waiting.delete(check);
      };
      waiting.add(check);
      check();
    });
  return { socket, send: (data) => void socket.write(data, 'latin1'), received: () => text, until, ended };
};

/** Head of an HTTP/1.1 request with a loopback Host. */
export const head = (line: string, headers: readonly string[] = []): string =>
  [`${line} HTTP/1.1`, 'Host: 127.0.0.1:8317', ...headers, '', ''].join('\r\n');
