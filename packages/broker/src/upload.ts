import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/**
 * The body of a request as a stream of its own. When the reader gives it up, because the upstream answered early or
 * failed, the rest of the upload is read and thrown away: the client can then read its answer, and its connection
 * stays usable. (Destroying the request itself would cut the client off.)
 */
export const uploadStream = (request: IncomingMessage): Readable => {
  const onData = (chunk: Buffer): void => {
    if (!body.push(chunk)) request.pause();
  };
  const onEnd = (): void => void body.push(null);
  const body = new Readable({
    read: () => void request.resume(),
    destroy: (error, callback) => {
      request.off('data', onData).off('end', onEnd).resume();
      callback(error);
    },
  });
  // Giving it up may come with an error that its reader knows already.
  body.on('error', () => undefined);
  request.on('data', onData).on('end', onEnd);
  return body;
};

/** Collects a body whose length was announced. Not called back when the client cuts it short. */
export const collectUpload = (request: IncomingMessage, length: number, whole: (body: Buffer) => void): void => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => void chunks.push(chunk));
  request.on('error', () => undefined);
  request.on('end', () => {
    const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    if (body.length === length) whole(body);
  });
};
