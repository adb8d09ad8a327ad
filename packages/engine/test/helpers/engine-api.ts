import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { join } from 'node:path';
import { temporaryDirectory } from '@doompi-sandbox/testkit';
import { onTestFinished } from 'vitest';

export interface EngineApi {
  /** Path of its Unix socket. */
  readonly path: string;
  /** Paths that were asked for, oldest first. */
  readonly asked: readonly string[];
}

const listen = async (server: Server, path: string): Promise<void> => {
  server.listen(path);
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
};

/** A server on a Unix socket that answers `GET /info` as docker's does, until the test ends. */
export const engineApi = async (
  information: Readonly<Record<string, unknown>> = {},
  answer?: RequestListener,
): Promise<EngineApi> => {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory.dispose());
  const path = join(directory.path, 'docker.sock');
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (answer === undefined)
      response.end(JSON.stringify({ ID: 'id', OperatingSystem: 'Debian', SecurityOptions: [], ...information }));
    else answer(request, response);
  });
  await listen(server, path);
  return { path, asked };
};
