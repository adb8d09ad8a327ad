import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { testCertificates } from '@doompi-sandbox/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectProven, createProvingServer, PROOF_TIMEOUT_MS } from '../src/proof.ts';

const host = '127.0.0.1';
const newKey = (): string => randomBytes(32).toString('base64url');

const listening = async (server: Server): Promise<number> => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
};

interface Launcher {
  readonly port: number;
  readonly proven: () => number;
}

/** A listener that has the key and echoes. */
const launcher = async (key: string): Promise<Launcher> => {
  let count = 0;
  const { server } = createProvingServer(key, (connection) => {
    count += 1;
    connection.pipe(connection);
  });
  return { port: await listening(server), proven: () => count };
};

/** A connection by hand. */
const raw = async (port: number): Promise<Socket> => {
  const socket = connect(port, host).on('error', () => {});
  await once(socket, 'connect');
  onTestFinished(() => void socket.destroy());
  return socket;
};

/** Everything that a raw connection receives until it is ended. */
const received = async (socket: Socket): Promise<Buffer> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk)).once('close', () => resolve(Buffer.concat(chunks)));
  });

describe('a connection with proof', () => {
  it('carries bytes when both sides have the key', async () => {
    const key = newKey();
    const { port, proven } = await launcher(key);
    const connection = await connectProven({ host, port, key });
    connection.end('there and back');
    expect(await text(connection)).toBe('there and back');
    expect(proven()).toBe(1);
  });

  it('is encrypted', async () => {
    const key = newKey();
    const { port } = await launcher(key);
    const seen: Buffer[] = [];
    const between = createServer({ allowHalfOpen: true }, (socket) => {
      const onward = connect({ port, host, allowHalfOpen: true }).on('error', () => {});
      for (const each of [socket, onward]) each.on('data', (chunk: Buffer) => seen.push(chunk)).on('error', () => {});
      socket.pipe(onward).pipe(socket);
    });
    const connection = await connectProven({ host, port: await listening(between), key });
    connection.end('a session token');
    expect(await text(connection)).toBe('a session token');
    expect(Buffer.concat(seen).length).toBeGreaterThan(200);
    expect(Buffer.concat(seen).includes('session token')).toBe(false);
  });
});

describe('S12: a client is sent away', () => {
  it.each([
    ['without a key', ''],
    ['with the key of another session', newKey()],
  ])('S12: %s', async (_name, other) => {
    const { port, proven } = await launcher(newKey());
    await expect(connectProven({ host, port, key: other })).rejects.toMatchObject({ code: expect.stringMatching(/^E/) });
    expect(proven()).toBe(0);
  });

  it('S12: that repeats what one with the key has sent', async () => {
    const key = newKey();
    const { port, proven } = await launcher(key);
    const recorded: Buffer[] = [];
    const between = createServer({ allowHalfOpen: true }, (socket) => {
      const onward = connect({ port, host, allowHalfOpen: true }).on('error', () => {});
      socket
        .on('data', (chunk: Buffer) => recorded.push(chunk))
        .pipe(onward)
        .pipe(socket);
    });
    const connection = await connectProven({ host, port: await listening(between), key });
    connection.end('call');
    expect(await text(connection)).toBe('call');
    expect(proven()).toBe(1);
    const replay = await raw(port);
    replay.write(Buffer.concat(recorded));
    const answer = await received(replay);
    expect(answer.includes('call')).toBe(false);
    expect(proven()).toBe(1);
  });

  it.each([
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['HTTP', 'POST /anthropic/v1/messages HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'],
  ])('S12: that speaks %s, with a TLS alert and nothing else', async (_name, bytes) => {
    const { port, proven } = await launcher(newKey());
    const client = await raw(port);
    client.write(bytes);
    // A record of type alert is 7 bytes.
    expect((await received(client)).length).toBeLessThanOrEqual(7);
    expect(proven()).toBe(0);
  });

  it('S12: that says nothing, after 2 s', async () => {
    const { port } = await launcher(newKey());
    const client = await raw(port);
    const start = performance.now();
    expect((await received(client)).length).toBe(0);
    expect(performance.now() - start).toBeGreaterThan(PROOF_TIMEOUT_MS - 100);
    expect(performance.now() - start).toBeLessThan(PROOF_TIMEOUT_MS + 1500);
  });

  it('S12: that keeps sending a byte at a time, after 2 s as well', async () => {
    const { port } = await launcher(newKey());
    const client = await raw(port);
    const start = performance.now();
    const closed = received(client);
    // A record of a kilobyte is announced and never comes.
    client.write(Buffer.from([22, 3, 1, 4, 0]));
    const drip = setInterval(() => client.write(Buffer.from([1])), 50);
    await closed;
    clearInterval(drip);
    expect(performance.now() - start).toBeLessThan(PROOF_TIMEOUT_MS + 1500);
  });

  it('S12: when too many wait, those that wait longest, so that one with the key still comes through', async () => {
    const key = newKey();
    const { port } = await launcher(key);
    const silent: Socket[] = [];
    let ended = 0;
    for (let index = 0; index < 100; index += 1) {
      const socket = await raw(port);
      socket.resume().once('close', () => (ended += 1));
      silent.push(socket);
    }
    const connection = await connectProven({ host, port, key });
    connection.end('through');
    expect(await text(connection)).toBe('through');
    // Well before any of them is late.
    expect(ended).toBeGreaterThanOrEqual(100 - 64);
    expect(silent.filter(({ destroyed }) => !destroyed).length).toBeGreaterThan(0);
  });
});

describe('S12: a listener is not believed', () => {
  it('S12: that accepts and never speaks', async () => {
    const port = await listening(createServer((socket) => void socket.resume()));
    const start = performance.now();
    await expect(connectProven({ host, port, key: newKey() })).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    expect(performance.now() - start).toBeLessThan(PROOF_TIMEOUT_MS + 500);
  });

  it.each([
    ['that ends at once', (socket: Socket) => void socket.end()],
    ['that sends back what it gets', (socket: Socket) => void socket.pipe(socket)],
    ['that speaks HTTP', (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n')],
  ])('S12: %s', async (_name, behave) => {
    const port = await listening(createServer(behave));
    await expect(connectProven({ host, port, key: newKey() })).rejects.toMatchObject({ code: expect.stringMatching(/^E/) });
  });

  it('S12: that has a certificate which this machine trusts, and does not learn what would be sent', async () => {
    await using certificates = await testCertificates(['127.0.0.1', 'localhost']);
    const before = getCACertificates();
    setDefaultCACertificates([...before, certificates.ca]);
    onTestFinished(() => setDefaultCACertificates(before));
    const got: Buffer[] = [];
    const server = createTlsServer({ key: certificates.key, cert: certificates.cert }, (connection) => {
      connection.on('data', (chunk: Buffer) => got.push(chunk)).on('error', () => {});
    });
    const port = await listening(server);
    // Said only when the certificate itself was found good.
    await expect(connectProven({ host, port, key: newKey() })).rejects.toMatchObject({ message: 'a certificate is no proof' });
    expect(got).toEqual([]);
  });

  it('S12: that has any certificate where the environment has switched verification off', async () => {
    await using certificates = await testCertificates(['127.0.0.1', 'localhost']);
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    onTestFinished(() => {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    });
    const server = createTlsServer({ key: certificates.key, cert: certificates.cert }, (connection) => {
      connection.on('error', () => {});
    });
    const port = await listening(server);
    await expect(connectProven({ host, port, key: newKey() })).rejects.toThrow();
  });

  it('S12: whatever it is, once the caller has given up', async () => {
    const port = await listening(createServer((socket) => void socket.resume()));
    const signal = AbortSignal.timeout(50);
    await expect(connectProven({ host, port, key: newKey(), signal })).rejects.toThrow('timeout');
  });
});
