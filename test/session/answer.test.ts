import { startModelServer } from '@doompi-sandbox/testkit';
import { expect, it } from 'vitest';
import { containersOf, sandbox, sessionRepository } from '../helpers/sandbox.ts';

const KEY = 'sk-ant-api03-test-real-key-0123456789';

it('an answer comes on stdout, progress on stderr, and the server sees the real key alone', async () => {
  await using server = await startModelServer({ key: KEY, answer: 'forty-two' });
  await using repository = await sessionRepository();
  const result = await sandbox(['--upstream', `anthropic=${server.url}`, '--', '-p', 'hello'], {
    cwd: repository.path,
    environment: { ANTHROPIC_API_KEY: KEY },
  });
  expect(result, result.stderr).toMatchObject({ exitCode: 0, stdout: 'forty-two\n' });
  expect(result.stderr).toContain('brokering anthropic');
  expect(result.stderr).not.toContain(KEY);
  expect(server.requests.map(({ credentials, realKeyElsewhere }) => ({ credentials, realKeyElsewhere }))).toEqual([
    { credentials: [{ slot: 'x-api-key', isRealKey: true }], realKeyElsewhere: false },
  ]);
  expect(await containersOf(repository.path)).toEqual([]);
  expect(await repository.git('status', '--porcelain')).toBe('');
});

it('OpenAI completions stream through the same way', async () => {
  await using server = await startModelServer({ key: KEY, answer: 'from groq' });
  await using repository = await sessionRepository();
  const model = ['--provider', 'groq', '--model', 'openai/gpt-oss-20b'];
  const result = await sandbox(['--upstream', `groq=${server.url}/v1`, '--', ...model, '-p', 'hello'], {
    cwd: repository.path,
    environment: { GROQ_API_KEY: KEY },
  });
  expect(result, result.stderr).toMatchObject({ exitCode: 0, stdout: 'from groq\n' });
  expect(server.requests[0]).toMatchObject({
    api: 'openai-completions',
    credentials: [{ slot: 'authorization', isRealKey: true }],
  });
});

it('a prompt comes from a pipe', async () => {
  await using server = await startModelServer({ key: KEY });
  await using repository = await sessionRepository();
  const result = await sandbox(['-q', '--upstream', `anthropic=${server.url}`, '--', '-p'], {
    cwd: repository.path,
    environment: { ANTHROPIC_API_KEY: KEY },
    input: 'hi\n',
  });
  expect(result, result.stderr).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('hi') });
});

it('an upstream that refuses the key fails the agent with its own words', async () => {
  await using server = await startModelServer({ key: 'another key' });
  await using repository = await sessionRepository();
  const result = await sandbox(['-q', '--upstream', `anthropic=${server.url}`, '--', '-p', 'hello'], {
    cwd: repository.path,
    environment: { ANTHROPIC_API_KEY: KEY },
  });
  expect(result).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('401') });
  expect(server.requests).toHaveLength(1);
});

it("the agent's version comes through, without any key", async () => {
  await using repository = await sessionRepository();
  const result = await sandbox(['--', '--version'], { cwd: repository.path });
  expect(result, result.stderr).toMatchObject({ exitCode: 0, stdout: '1.6.0\n' });
  expect(result.stderr).toContain('no provider key to broker');
});
