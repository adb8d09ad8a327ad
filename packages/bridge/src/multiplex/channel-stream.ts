import type { Http2Stream } from 'node:http2';
import { Duplex } from 'node:stream';

/** RFC 9113 7. */
const NO_ERROR = 0;

const reset = (): Error => Object.assign(new Error('the connection was reset'), { code: 'ECONNRESET' });

/**
 * A stream of an HTTP/2 session as a connection: an end is an end, and everything else an error on the other side. An `Http2Stream`
 * itself does not tell them apart: closed with an error code, it sends an ordinary end before the reset.
 */
export const channelStream = (stream: Http2Stream): Duplex => {
  let ended = false;
  const connection = new Duplex({
    allowHalfOpen: true,
    read: () => void stream.resume(),
    write: (chunk: Buffer, _encoding, done) => void stream.write(chunk, done),
    final: (done) => void stream.end(done),
    destroy: (error, done) => {
      if (!stream.destroyed) {
        // The other side may stop sending: it had everything from here (RFC 9113 8.1).
        if (connection.writableFinished) stream.close(NO_ERROR);
        else stream.destroy(error ?? reset());
      }
      done(error);
    },
  });
  /** @param answered - the other side had said all before it stopped listening, and that is still to be read */
  const broken = (answered: boolean): void => {
    if (answered && !connection.readableEnded) connection.once('end', () => connection.destroy(reset()));
    else connection.destroy(reset());
  };
  // Destroyed by its owner, it still sees the stream's own last error.
  connection.on('error', () => {});
  stream
    .on('data', (chunk: Buffer) => {
      if (!connection.push(chunk)) stream.pause();
    })
    .on('end', () => {
      if (stream.rstCode !== NO_ERROR) return;
      ended = true;
      connection.push(null);
    })
    .on('error', (error) => connection.destroy(error))
    .on('aborted', () => broken(stream.rstCode === NO_ERROR))
    .on('close', () => {
      if (!ended || !connection.writableFinished) broken(ended);
    })
    .pause();
  return connection;
};
