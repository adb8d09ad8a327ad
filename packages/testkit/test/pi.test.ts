import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runProgram, startModelServer, temporaryDirectory, type ModelServer, type ProgramResult } from '../src/index.ts';

const KEY = 'sk-real-0123456789';
const PI = join(dirname(fileURLToPath(import.meta.resolve('@earendil-works/pi-coding-agent'))), 'bundle/cli.js');

/** Real Pi with one provider pointed at the server by models.json, as the spec's section 1.1 has it. */
const askPi = async (provider: string, variable: string, key: string, baseUrl: string): Promise<ProgramResult> => {
  await using home = await temporaryDirectory();
  const agentDirectory = join(home.path, 'agent');
  await mkdir(agentDirectory);
  const models = { providers: { [provider]: { baseUrl, apiKey: `$${variable}` } } };
  await writeFile(join(agentDirectory, 'models.json'), JSON.stringify(models));
  return await runProgram(process.execPath, [PI, '--no-session', '-p', 'hello there'], {
    cwd: home.path,
    env: {
      PATH: process.env['PATH'],
      HOME: home.path,
      PI_CODING_AGENT_DIR: agentDirectory,
      PI_OFFLINE: '1',
      [variable]: key,
    },
  });
};

const slots = (server: ModelServer): unknown => server.requests.map(({ api, credentials }) => ({ api, credentials }));

describe('real Pi', () => {
  it.each([
    ['anthropic', 'ANTHROPIC_API_KEY', '', 'anthropic-messages', 'x-api-key'],
    ['groq', 'GROQ_API_KEY', '/openai/v1', 'openai-completions', 'authorization'],
    ['openai', 'OPENAI_API_KEY', '/v1', 'openai-responses', 'authorization'],
    ['google', 'GEMINI_API_KEY', '/v1beta', 'google-generative-ai', 'x-goog-api-key'],
  ])('%s: prints the streamed answer and sends the key in its own header', async (provider, variable, base, api, slot) => {
    await using server = await startModelServer({ key: KEY, answer: (prompt) => `You said: ${prompt}.` });
    const result = await askPi(provider, variable, KEY, server.url + base);
    expect(result).toMatchObject({ exitCode: 0, stdout: 'You said: hello there.\n' });
    expect(slots(server)).toEqual([{ api, credentials: [{ slot, isRealKey: true }] }]);
    expect(server.requests[0]?.outcome).toBe('completed');
  });

  it('shows the refusal of a wrong key and ends with 1, without a second try', async () => {
    await using server = await startModelServer({ key: KEY });
    const result = await askPi('anthropic', 'ANTHROPIC_API_KEY', 'sk-wrong', server.url);
    expect(result).toMatchObject({ exitCode: 1, stdout: '' });
    expect(result.stderr).toContain('authentication_error');
    expect(server.requests).toHaveLength(1);
  });
});
