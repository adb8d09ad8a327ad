import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startModelServer, temporaryDirectory, waitFor, within } from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';
import { containerOf, engineOutput, sandbox, sessionRepository, startSandbox } from '../helpers/sandbox.ts';
import { useStandIn } from '../helpers/stand-in.ts';

const agent = useStandIn();

const KEY = 'sk-ant-api03-real-0123456789abcdef';

const HOST_SECRETS = { STRIPE_API_KEY: 'stripe-secret', NPM_TOKEN: 'npm-secret', ANTHROPIC_BASE_URL: 'http://base.url.secret' };

/** Waits for a file that the agent writes when it is up. */
const agentIsUp = async (repository: string): Promise<string> =>
  waitFor(() => readFile(join(repository, 'up'), 'utf8'), { timeoutMs: 30_000, what: 'the agent to run' });

const environmentInside = async (
  args: readonly string[],
  environment: Record<string, string>,
): Promise<Record<string, string>> => {
  await using repository = await sessionRepository();
  const result = await sandbox([...agent(), ...args, '--', 'env', '-0'], { cwd: repository.path, environment });
  expect(result.exitCode, result.stderr).toBe(0);
  const entries = result.stdout.split('\0').filter((entry) => entry !== '');
  return Object.fromEntries(entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]));
};

describe('S14: what others on the host can see', () => {
  it('S14: no key and no token is in an argument of any process, nor a key in inspect', async () => {
    await using repository = await sessionRepository();
    const script = 'printf %s "$ANTHROPIC_API_KEY" > up; cat';
    const running = startSandbox([...agent(), '--env', 'STRIPE_API_KEY', '--', 'sh', '-c', script], {
      cwd: repository.path,
      environment: { ...HOST_SECRETS, ANTHROPIC_API_KEY: KEY },
    });
    await waitFor(async () => (await agentIsUp(repository.path)) !== '', { what: 'the token' });
    const token = await agentIsUp(repository.path);
    expect(token).toMatch(/^sk-[\w-]{40,}$/);
    const container = await containerOf(repository.path);
    const processes = await engineOutput('top', container, '-eo', 'pid,args');
    const client = await readFile(`/proc/${running.pid}/cmdline`, 'utf8');
    const children = (await readFile(`/proc/${running.pid}/task/${running.pid}/children`, 'utf8')).trim().split(' ');
    const clients = await Promise.all(children.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8')));
    expect(clients.join('\n')).toContain('--env\0STRIPE_API_KEY\0');
    for (const text of [processes, client, ...clients]) {
      for (const secret of [KEY, token, HOST_SECRETS.STRIPE_API_KEY]) expect(text).not.toContain(secret);
    }
    const inspected = await engineOutput('container', 'inspect', container);
    expect(inspected).not.toContain(KEY);
    const { Config, Args } = JSON.parse(inspected)[0] as { Config: { Cmd: string[]; Labels: unknown }; Args: string[] };
    expect(JSON.stringify([Config.Cmd, Config.Labels, Args])).not.toContain(token);
    running.child.stdin?.end();
    await within(running.closed, { timeoutMs: 10_000 });
  });
});

describe('the environment inside', () => {
  it.each([
    ['a key is brokered', [], { ...HOST_SECRETS, ANTHROPIC_API_KEY: KEY }],
    ['no provider key is set', [], HOST_SECRETS],
    ['the broker is off', ['--no-broker'], { ...HOST_SECRETS, ANTHROPIC_API_KEY: KEY }],
    ['the broker is off by its variable', [], { ...HOST_SECRETS, ANTHROPIC_API_KEY: KEY, DOOMPI_SANDBOX_BROKER: '0' }],
  ])('holds no secret of the host when %s', async (_when, args, environment) => {
    const inside = await environmentInside(args, environment);
    const text = JSON.stringify(inside);
    for (const secret of [KEY, ...Object.values(HOST_SECRETS)]) expect(text).not.toContain(secret);
    for (const name of Object.keys(HOST_SECRETS)) expect(inside).not.toHaveProperty(name);
    expect(inside['DOOMPI_SANDBOX']).toBe('1');
  });

  it('B20: values arrive byte for byte, empty stays empty and unset stays unset', async () => {
    const value = 'a\nLD_PRELOAD=/x "q" \'s\' #h \\ ';
    const inside = await environmentInside(['--env', 'ODD'], { ODD: value, TZ: '', PI_TIMING: 'trailing  ' });
    expect(inside).toMatchObject({ ODD: value, TZ: '', PI_TIMING: 'trailing  ' });
    expect(inside).not.toHaveProperty('LD_PRELOAD');
    expect(inside).not.toHaveProperty('COLORTERM');
  });

  it("holds no proxy of the engine's own configuration, nor one of the host that stays outside", async () => {
    await using configuration = await temporaryDirectory();
    const proxy = { httpProxy: 'http://user:proxy-secret@a.example:1', httpsProxy: 'http://b.example:2', noProxy: 'c.example' };
    await writeFile(
      join(configuration.path, 'config.json'),
      JSON.stringify({ proxies: { default: { ...proxy, ftpProxy: 'http://d.example:3' } } }),
    );
    const inside = await environmentInside([], {
      DOCKER_CONFIG: configuration.path,
      https_proxy: 'http://user:host-secret@e.example:4',
    });
    const names = Object.keys(inside).filter((name) => /proxy$/i.test(name));
    expect(names.toSorted()).toEqual(['NO_PROXY', 'no_proxy']);
    expect(JSON.stringify(inside)).not.toMatch(/secret|example/);
  });

  it('a named key enters in clear and is then not brokered', async () => {
    const inside = await environmentInside(['--env', 'ANTHROPIC_API_KEY'], { ANTHROPIC_API_KEY: KEY });
    expect(inside['ANTHROPIC_API_KEY']).toBe(KEY);
    expect(inside).not.toHaveProperty('DOOMPI_BROKER_PROVIDERS');
  });
});

describe('the session directory inside', () => {
  it('S07: nothing in it can be replaced, removed or planted, and connecting still works', async () => {
    await using repository = await sessionRepository();
    await using server = await startModelServer({ key: KEY, answer: 'reached' });
    const script = [
      'cd /run/doompi; ls | tr "\\n" " "',
      'for command in "rm -f broker.sock" "mv broker.sock other" "touch planted" "sh -c \'echo x > session\'" "chmod 777 ."; do',
      '  $command 2>/dev/null && echo "DONE: $command"; done',
      'test -e planted && echo planted',
      'umount /run/doompi 2>/dev/null && echo unmounted; mount -o remount,rw /run/doompi 2>/dev/null && echo remounted',
      'curl -sS -H "x-api-key: $ANTHROPIC_API_KEY" -H "content-type: application/json" ' +
        '-d \'{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"x"}]}\' http://127.0.0.1:8317/anthropic/api.anthropic.com/v1/messages',
    ].join('\n');
    const result = await sandbox([...agent(), '--upstream', `anthropic=${server.url}`, '--', 'sh', '-c', script], {
      cwd: repository.path,
      environment: { ANTHROPIC_API_KEY: KEY },
    });
    expect(result.exitCode, result.stderr).toBe(0);
    const [first, ...rest] = result.stdout.split('{');
    expect(first).toBe('broker.sock group lifeline.sock passwd session ');
    expect(rest.join('{')).toContain('reached');
  });
});

describe('S08: a token of a session', () => {
  it('S08: opens nothing in another session', async () => {
    await using server = await startModelServer({ key: KEY, answer: 'reached' });
    await using one = await sessionRepository();
    await using two = await sessionRepository();
    const options = [...agent(), '--upstream', `anthropic=${server.url}`, '--'];
    const environment = { ANTHROPIC_API_KEY: KEY };
    const first = await sandbox([...options, 'sh', '-c', 'printf %s "$ANTHROPIC_API_KEY"'], { cwd: one.path, environment });
    const call = 'curl -s -o /dev/null -w "%{http_code}" -H "x-api-key: $1" -d "{}" http://127.0.0.1:8317/anthropic/v1/messages';
    const second = await sandbox([...options, 'sh', '-c', call, 'sh', first.stdout], { cwd: two.path, environment });
    expect(second.stdout, second.stderr).toBe('401');
    expect(server.requests).toEqual([]);
  });
});
