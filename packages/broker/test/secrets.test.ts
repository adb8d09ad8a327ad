import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BROKER_CHANNELS, createCredential, findCredentials, type RefusalEvent, type RequestEvent } from '../src/index.ts';
import { printable } from '../src/diagnostics.ts';
import { everywhere, OTHER_KEY, REAL_KEY, startTestBroker } from './support/broker.ts';
import { call, connectRaw, head } from './support/client.ts';
import { startRawUpstream, startUpstream } from './support/upstream.ts';

const MESSAGES = '/anthropic/v1/messages';

interface Events {
  readonly request: RequestEvent;
  readonly refusal: RefusalEvent;
}

const collect = <Name extends keyof Events>(name: Name): { events: Events[Name][]; next: (count: number) => Promise<void> } => {
  const events: Events[Name][] = [];
  let wake: () => void = () => undefined;
  const listener = (event: unknown): void => {
    events.push(event as Events[Name]);
    wake();
  };
  subscribe(BROKER_CHANNELS[name], listener);
  onTestFinished(() => void unsubscribe(BROKER_CHANNELS[name], listener));
  const next = async (count: number): Promise<void> => {
    while (events.length < count) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { events, next };
};

describe('what holds a key does not show it', () => {
  it('S21: a credential prints, copies and serialises without its value', () => {
    const [credential] = findCredentials({ ANTHROPIC_API_KEY: REAL_KEY });
    expect(credential?.value).toBe(REAL_KEY);
    const shown = [
      JSON.stringify(credential),
      JSON.stringify({ ...credential }),
      inspect(credential),
      inspect(credential, { showHidden: true, depth: 9 }),
      inspect([credential], { getters: true, depth: 9 }),
      JSON.stringify(Object.getOwnPropertyDescriptors(credential)),
    ];
    for (const text of shown) expect(text).not.toContain(REAL_KEY);
    expect(shown[0]).toContain('ANTHROPIC_API_KEY');
  });

  it('S21: an invalid key is named by its variable, not by its value', () => {
    const create = (): unknown => createCredential({ variable: 'K', value: `${REAL_KEY}\n1`, providers: ['openai'] });
    expect(create).toThrow(expect.objectContaining({ code: 'BROKER_CREDENTIAL_INVALID', details: { variable: 'K' } }));
    try {
      create();
    } catch (error) {
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(REAL_KEY);
    }
  });

  it('S21: broker and session print no key', async () => {
    const { broker, session } = await startTestBroker();
    for (const value of [broker, session]) {
      const text = inspect(value, { showHidden: true, depth: 20 });
      expect(text).not.toContain(REAL_KEY);
      expect(text).not.toContain(OTHER_KEY);
    }
  });
});

describe('diagnostics', () => {
  it('S21: events tell what happened, and hold no secret and no control character', async () => {
    const upstream = await startUpstream();
    const broker = await startTestBroker(everywhere(upstream.url));
    const requests = collect('request');
    const refusals = collect('refusal');
    const token = broker.token();
    const encoded = Buffer.from(token).toString('hex').replaceAll(/../g, '%$&');
    await call({ path: broker.path, target: `${MESSAGES}?key=${token}&beta=true` });
    await call({ path: broker.path, target: `/anthropic/${token}/x`, headers: { 'x-api-key': token } });
    await call({ path: broker.path, target: `/anthropic/${encoded}`, headers: { 'x-api-key': token } });
    await call({ path: broker.path, target: `/anthropic/${'a/'.repeat(500)}`, headers: { 'x-api-key': REAL_KEY } });
    const client = await connectRaw(broker.path);
    client.send(`GET /\x9b31m\u00e9 HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${token}\r\n\r\n`);
    await client.until(/\}\}$/);
    await requests.next(4);
    const { durationMs, ...first } = requests.events[0] as RequestEvent;
    expect(durationMs).toBeGreaterThan(0);
    expect(first).toEqual({
      session: 'test',
      provider: 'anthropic',
      method: 'POST',
      path: MESSAGES,
      status: 200,
      outcome: 'complete',
    });
    expect(requests.events.map(({ outcome }) => outcome)).toEqual(['complete', 'refused', 'refused', 'refused']);
    expect(refusals.events.map(({ session, code, status }) => [session, code, status])).toEqual([
      ['test', 'path_not_allowed', 403],
      ['test', 'path_not_allowed', 403],
      [undefined, 'unauthorized', 401],
      [undefined, 'invalid_request', 400],
    ]);
    const text = JSON.stringify([requests.events, refusals.events]);
    for (const secret of [token, token.slice(3), encoded, REAL_KEY, OTHER_KEY]) expect(text).not.toContain(secret);
    for (const { path } of requests.events) {
      expect(path.length).toBeLessThanOrEqual(200);
      expect(path).toMatch(/^[\x21-\x7e…]*$/);
    }
  });

  it('S09: text from a request loses what steers a terminal', () => {
    expect(printable('a\u001b[31mb\u0007\u009bc\r\nd\u202ee\u2028f\u007f')).toBe('a[31mbcdef');
    expect(printable('x'.repeat(20_000))).toHaveLength(3);
    expect(printable('x/'.repeat(20_000))).toHaveLength(200);
  });

  it('tells the ways in which a request can end', async () => {
    let answers = 0;
    const upstream = await startRawUpstream((socket) => {
      answers += 1;
      if (answers === 2) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf', () => socket.destroy());
      else if (answers === 3) socket.destroy();
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf');
    });
    const broker = await startTestBroker(everywhere(upstream.url));
    const requests = collect('request');
    const send = async (): Promise<Awaited<ReturnType<typeof connectRaw>>> => {
      const client = await connectRaw(broker.path);
      client.send(head(`POST ${MESSAGES}`, [`X-Api-Key: ${broker.token()}`, 'Content-Length: 0']));
      return client;
    };
    const leaving = await send();
    await leaving.until(/half/);
    leaving.socket.destroy();
    await requests.next(1);
    await (
      await send()
    ).ended;
    await requests.next(2);
    await (await send()).until(/\}\}$/);
    await requests.next(3);
    const cut = await send();
    await cut.until(/half/);
    await broker.session.close();
    await Promise.all([cut.ended, requests.next(4)]);
    expect(requests.events.map(({ outcome, status }) => [outcome, status])).toEqual([
      ['client-abort', 200],
      ['upstream-error', 200],
      ['upstream-error', 502],
      ['refused', 200],
    ]);
  });

  it('counts a client that leaves before the answer', async () => {
    const upstream = await startUpstream(() => undefined);
    const broker = await startTestBroker(everywhere(upstream.url));
    const requests = collect('request');
    const client = await connectRaw(broker.path);
    const arrived = once(upstream.server, 'request');
    client.send(head(`POST ${MESSAGES}`, [`X-Api-Key: ${broker.token()}`, 'Content-Length: 0']));
    await arrived;
    client.socket.destroy();
    await requests.next(1);
    expect(requests.events).toMatchObject([{ outcome: 'client-abort', status: 0 }]);
  });
});
