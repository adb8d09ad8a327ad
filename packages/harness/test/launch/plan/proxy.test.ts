import { describe, expect, it } from 'vitest';
import { proxyEnvironment } from '../../../src/launch/plan/proxy.ts';

describe('proxy variables', () => {
  it('pass, and both spellings of NO_PROXY exclude loopback beside what the host excludes', () => {
    const { values, notices } = proxyEnvironment({
      HTTPS_PROXY: 'http://proxy.corp.example:3128',
      NO_PROXY: 'corp.example, 10.0.0.0/8',
    });
    expect(values).toEqual({
      HTTPS_PROXY: 'http://proxy.corp.example:3128',
      NO_PROXY: 'corp.example,10.0.0.0/8,127.0.0.1,localhost,::1',
      no_proxy: 'corp.example,10.0.0.0/8,127.0.0.1,localhost,::1',
    });
    expect(notices).toEqual([]);
  });

  it('exclude loopback also when the host has no proxy', () => {
    expect(proxyEnvironment({}).values).toEqual({ NO_PROXY: '127.0.0.1,localhost,::1', no_proxy: '127.0.0.1,localhost,::1' });
  });

  it.each([
    ['http://user:password@proxy.example:3128', 'credentials'],
    ['user:password@proxy.example:3128', 'credentials'],
    ['http://127.0.0.1:3128', 'loopback'],
    ['localhost:3128', 'loopback'],
    ['http://[::1]:3128', 'loopback'],
    ['http://', 'unreadable'],
  ] as const)('%s stays outside: %s', (value, reason) => {
    const { values, notices } = proxyEnvironment({ http_proxy: value });
    expect(values).not.toHaveProperty('http_proxy');
    expect(notices).toEqual([{ code: 'proxy-withheld', variable: 'http_proxy', reason }]);
  });
});
