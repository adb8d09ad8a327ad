import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENDPOINT_FORMS, type Endpoint, formatEndpoint, isEngineError, parseEndpoint } from '../../src/index.ts';

const unix = (path: string): Endpoint => ({ transport: 'unix', path });
const tcp = (host: string, port: number): Endpoint => ({ transport: 'tcp', host, port, tls: false });

describe('parseEndpoint', () => {
  it.each<[string, Endpoint, string]>([
    ['/tmp/x.sock', unix('/tmp/x.sock'), 'unix:///tmp/x.sock'],
    ['unix:///tmp/x.sock', unix('/tmp/x.sock'), 'unix:///tmp/x.sock'],
    ['unix:/tmp/x.sock', unix('/tmp/x.sock'), 'unix:///tmp/x.sock'],
    ['unix:///tmp/a b:c,d.sock', unix('/tmp/a b:c,d.sock'), 'unix:///tmp/a b:c,d.sock'],
    ['tcp://127.0.0.1:2375', tcp('127.0.0.1', 2375), 'tcp://127.0.0.1:2375'],
    ['tcp://127.0.0.1:2375/', tcp('127.0.0.1', 2375), 'tcp://127.0.0.1:2375'],
    ['tcp://[::1]:2375', tcp('::1', 2375), 'tcp://[::1]:2375'],
    ['tcp://box', tcp('box', 2375), 'tcp://box:2375'],
    ['tcp://box:80', tcp('box', 80), 'tcp://box:80'],
    ['http://127.0.0.1:2375', tcp('127.0.0.1', 2375), 'tcp://127.0.0.1:2375'],
    ['ssh://u@h', { transport: 'ssh', host: 'h', user: 'u' }, 'ssh://u@h'],
    ['ssh://h/run/a:80', { transport: 'ssh', host: 'h', path: '/run/a:80' }, 'ssh://h/run/a:80'],
    ['ssh://h/a%3Fb%23c', { transport: 'ssh', host: 'h', path: '/a?b#c' }, 'ssh://h/a%3Fb%23c'],
    ['ssh://h:2222', { transport: 'ssh', host: 'h', port: 2222 }, 'ssh://h:2222'],
    [
      'ssh://u@[::1]:22/run/d.sock',
      { transport: 'ssh', host: '::1', user: 'u', port: 22, path: '/run/d.sock' },
      'ssh://u@[::1]:22/run/d.sock',
    ],
  ])('B04: %s', (text, expected, normalised) => {
    const endpoint = parseEndpoint(text);
    expect(endpoint).toEqual(expected);
    expect(formatEndpoint(endpoint ?? unix('/'))).toBe(normalised);
  });

  it.each(['', '  ', '\n'])('B04: %j means unset', (text) => {
    expect(parseEndpoint(text)).toBeUndefined();
  });

  it.each<[string, RegExp]>([
    ['npipe:////./pipe/x', /the scheme npipe: is not known/],
    ['https://127.0.0.1:2376', /the scheme https: is not known/],
    ['fd://', /the scheme fd: is not known/],
    ['unix://relative.sock', /absolute path/],
    ['unix://', /absolute path/],
    ['docker.sock', /no scheme/],
    ['localhost', /no scheme/],
    ['tcp://', /no address/],
    ['tcp://h:99999', /no address/],
    ['tcp://h:2375/v1', /ends after the port/],
    ['tcp://u:password@h:2375', /user and password/],
    ['ssh://u:password@h', /password cannot be part/],
    ['ssh://-oProxyCommand=x', /no address/],
    ['ssh://%2DoProxyCommand=x@h', /no address/],
    ['ssh://u%zz@h', /percent-encoding/],
    ['ssh://h/%zz', /percent-encoding/],
    ['tcp://h:0', /port 0/],
  ])('B04: %s is refused in one line that lists what is accepted and repeats nothing secret', (text, reason) => {
    let error: unknown;
    try {
      parseEndpoint(text, { source: 'DOCKER_HOST' });
    } catch (thrown) {
      error = thrown;
    }
    if (!isEngineError(error, 'ENGINE_ENDPOINT_INVALID')) throw new Error('expected a refusal', { cause: error });
    expect(error.message).toMatch(/^DOCKER_HOST: .*unix:\/\/\/path\/to\.sock.*tcp:\/\/host\[:port\].*ssh:/);
    expect(error.message).toMatch(reason);
    expect(error.message.split('\n')).toHaveLength(1);
    expect(JSON.stringify([error.message, error.details])).not.toContain(':password@');
    expect(error.details.accepted).toEqual(ENDPOINT_FORMS);
  });

  it('B04: no text gives anything but an endpoint that reads as itself, nothing, or the refusal', () => {
    const scheme = fc.constantFrom('unix:', 'unix://', 'tcp://', 'http://', 'ssh://', '/', '');
    fc.assert(
      fc.property(scheme, fc.string({ unit: 'binary' }), (start, rest) => {
        try {
          const endpoint = parseEndpoint(start + rest);
          if (endpoint !== undefined) expect(parseEndpoint(formatEndpoint(endpoint))).toEqual(endpoint);
        } catch (error) {
          expect(isEngineError(error, 'ENGINE_ENDPOINT_INVALID')).toBe(true);
        }
      }),
    );
  });
});
