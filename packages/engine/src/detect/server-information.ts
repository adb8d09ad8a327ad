import { request } from 'node:http';
import type { Endpoint } from '../endpoint/endpoint.ts';
import { isObject, type JsonObject } from '../command/json.ts';

const MAXIMUM_ANSWER = 4 * 1024 * 1024;

/** The endpoints whose server can be asked without docker's command: no TLS, no ssh. */
export type PlainEndpoint = Extract<Endpoint, { transport: 'unix' }> | Extract<Endpoint, { transport: 'tcp' }>;

export const isPlain = (endpoint: Endpoint): endpoint is PlainEndpoint =>
  endpoint.transport === 'unix' || (endpoint.transport === 'tcp' && !endpoint.tls);

/**
 * `GET /info` of the Engine API (system information), read straight from the server.
 * @throws the connection's error with its `code`; Error for another answer than information; the signal's reason
 */
export const serverInformation = (endpoint: PlainEndpoint, signal: AbortSignal): Promise<JsonObject> =>
  new Promise((resolve, reject) => {
    const target = endpoint.transport === 'unix' ? { socketPath: endpoint.path } : { host: endpoint.host, port: endpoint.port };
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- a signal's reason is whatever its owner gave it
    const fail = (error: unknown): void => reject(signal.aborted ? signal.reason : error);
    const question = request({ ...target, path: '/info', headers: { host: 'docker' }, agent: false, signal }, (answer) => {
      const chunks: Buffer[] = [];
      let size = 0;
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > MAXIMUM_ANSWER) question.destroy(new Error('its answer to GET /info is too large'));
      });
      answer.once('error', fail);
      answer.once('end', () => {
        if (answer.statusCode !== 200) return fail(new Error(`it answers GET /info with status ${answer.statusCode}`));
        try {
          const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
          if (isObject(value)) return resolve(value);
        } catch {
          // The same refusal as for JSON of another shape.
        }
        fail(new Error('its answer to GET /info is not JSON of an engine'));
      });
    });
    question.once('error', fail);
    question.end();
  });
