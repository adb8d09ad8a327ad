import { describe, expect, it } from 'vitest';
import { formatSessionFile, parseSessionFile, type SessionFile } from '../src/index.ts';

const session: SessionFile = {
  version: 1,
  sessionId: 's1',
  lifeline: { transport: 'unix', path: '/run/doompi/lifeline.sock' },
  broker: {
    endpoint: { transport: 'unix', path: '/run/doompi/broker.sock' },
    bridgePort: 8317,
    providers: [{ id: 'anthropic', upstreamHost: 'api.anthropic.com' }],
  },
};

describe('session file', () => {
  it('reads back what it writes', () => {
    expect(parseSessionFile(formatSessionFile(session))).toEqual(session);
  });

  it('needs no broker', () => {
    const { broker: _broker, ...unbrokered } = session;
    expect(parseSessionFile(formatSessionFile(unbrokered))).toEqual(unbrokered);
  });

  it.each([
    ['no JSON', '{', /not JSON/],
    ['a future version', JSON.stringify({ ...session, version: 2 }), /version 2 is not known/],
    ['an empty id', JSON.stringify({ ...session, sessionId: '' }), /sessionId/],
    ['no lifeline', JSON.stringify({ version: 1, sessionId: 's' }), /lifeline/],
    ['a bad port', JSON.stringify({ ...session, broker: { ...session.broker, bridgePort: 0 } }), /bridgePort/],
    ['no provider', JSON.stringify({ ...session, broker: { ...session.broker, providers: [] } }), /providers/],
  ])('refuses %s, naming it', (_name, source, message) => {
    expect(() => parseSessionFile(source)).toThrow(message);
    expect(() => parseSessionFile(source)).toThrow(TypeError);
  });
});
