import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { formatSessionFile, parseSessionFile, type SessionFile } from '../src/index.ts';

const session: SessionFile = {
  version: 1,
  sessionId: 's1',
  transports: [
    { transport: 'socket', broker: '/run/doompi/broker.sock', lifeline: '/run/doompi/lifeline.sock' },
    { transport: 'tcp', host: '10.0.2.2', port: 4000, key: 'k'.repeat(43) },
    { transport: 'tunnel', path: '/run/doompi-tunnel/launcher.sock' },
  ],
  broker: {
    bridgePort: 8317,
    providers: [{ id: 'anthropic', upstreamHost: 'api.anthropic.com' }],
  },
};

const withTransport = (transport: object): string => JSON.stringify({ ...session, transports: [transport] });

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
    ['no transports', JSON.stringify({ ...session, transports: undefined }), /transports must be a non-empty list/],
    ['an empty list of transports', JSON.stringify({ ...session, transports: [] }), /transports must be a non-empty list/],
    ['an unknown transport', withTransport({ transport: 'pigeon' }), /transports\[0\].transport must be socket, tcp or tunnel/],
    ['a socket without a lifeline', withTransport({ transport: 'socket', broker: '/b' }), /transports\[0\].lifeline/],
    ['tcp without a port', withTransport({ transport: 'tcp', host: 'h', key: 'k'.repeat(43) }), /transports\[0\].port/],
    ['a tunnel without a path', withTransport({ transport: 'tunnel', path: '' }), /transports\[0\].path/],
    ['a bad port', JSON.stringify({ ...session, broker: { ...session.broker, bridgePort: 0 } }), /bridgePort/],
    ['no provider', JSON.stringify({ ...session, broker: { ...session.broker, providers: [] } }), /providers/],
  ])('refuses %s, naming it', (_name, source, message) => {
    expect(() => parseSessionFile(source)).toThrow(message);
    expect(() => parseSessionFile(source)).toThrow(TypeError);
  });

  it.each([
    ['a short key', withTransport({ transport: 'tcp', host: 'h', port: 1, key: 'secret' })],
    ['broken text', withTransport({ transport: 'tcp', host: 'h', port: 1, key: 'secret' }).replace('":', '":"secret')],
  ])('does not repeat the key of %s', (_name, source) => {
    const failure = (): unknown => {
      try {
        return parseSessionFile(source);
      } catch (error) {
        return error;
      }
    };
    expect(failure()).toBeInstanceOf(TypeError);
    expect(inspect(failure(), { depth: null })).not.toContain('secret');
  });
});
