import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { temporaryDirectory, waitFor } from '@doompi-sandbox/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { createCredential, startBroker } from '../src/index.ts';

const LISTENER = `
const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 });
server.on('listening', () => console.log(server.address().port));
`;

const connecting = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

it('B26: a closed broker gives up connections that an upstream has not answered yet', async () => {
  // A stopped process accepts nothing: once its backlog is full, the kernel answers no further connection.
  const upstream = spawn(process.execPath, ['-e', LISTENER], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(upstream, 'exit');
  onTestFinished(async () => {
    upstream.kill('SIGKILL');
    await exited;
  });
  const [line] = (await once(createInterface({ input: upstream.stdout }), 'line')) as [string];
  const port = Number(line);
  upstream.kill('SIGSTOP');
  const fillers = Array.from({ length: 8 }, () => connect({ port, host: '127.0.0.1' }).on('error', () => {}));
  await waitFor(() => fillers.some((filler) => !filler.connecting), { what: 'the backlog to fill' });
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'broker.sock');
  const broker = await startBroker({
    listen: { transport: 'unix', path },
    upstreams: { anthropic: `http://127.0.0.1:${port}` },
  });
  const credential = createCredential({ variable: 'KEY', value: 'sk-real', providers: ['anthropic'] });
  const token = broker.openSession({ credentials: [credential] })?.environment['KEY'];
  const before = connecting();
  const client = connect(path).on('error', () => {});
  client.write(`GET /anthropic/v1/models HTTP/1.1\r\nHost: localhost\r\nx-api-key: ${token}\r\n\r\n`);
  await waitFor(() => connecting() > before, { what: 'the connection to be tried' });
  await broker.close();
  await waitFor(() => connecting() === before, { timeoutMs: 2000, what: 'the connection to be given up' });
  expect(connecting()).toBe(before);
  client.destroy();
  for (const filler of fillers) filler.destroy();
});
