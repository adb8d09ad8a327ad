// Its own process, because Node reads the TLS variables of the environment once: makes one call through a broker
// to argv[2] and prints status and body.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findCredentials, startBroker } from '../../src/index.ts';

const directory = mkdtempSync(join(tmpdir(), 'broker-'));
const path = join(directory, 's');
const broker = await startBroker({ listen: { transport: 'unix', path }, upstreams: { anthropic: process.argv[2] } });
const session = broker.openSession({ credentials: findCredentials({ ANTHROPIC_API_KEY: 'real-key' }) });
const headers = { host: '127.0.0.1', 'x-api-key': session.environment.ANTHROPIC_API_KEY };
const call = request({ socketPath: path, path: '/anthropic/v1/messages', method: 'POST', headers, agent: false });
call.end('{}');
const [response] = await once(call, 'response');
process.stdout.write(`${response.statusCode} ${Buffer.concat(await response.toArray()).toString()}`);
await broker.close();
rmSync(directory, { recursive: true });
