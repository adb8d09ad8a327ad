import { describe, expect, it } from 'vitest';
import { gatewayOf } from '../../src/transport/gateway.ts';

describe('the gateway of the default network', () => {
  it('is the one that the engine names', () => {
    expect(gatewayOf('172.17.0.0/16 172.17.0.9\n')).toBe('172.17.0.9');
    expect(gatewayOf('fd00::/64 fd00::1\n10.1.0.0/16 10.1.0.1\n')).toBe('10.1.0.1');
  });

  it('is the first address where a docker that was started once names none', () => {
    expect(gatewayOf('172.18.0.0/16 \n')).toBe('172.18.0.1');
    expect(gatewayOf('192.168.9.64/26 <no value>\n')).toBe('192.168.9.65');
  });

  it('is none without an IPv4 range', () => {
    expect(gatewayOf('fd00::/64 \n')).toBeUndefined();
    expect(gatewayOf('\n')).toBeUndefined();
  });
});
