import { describe, expect, it } from 'vitest';
import { gatewayOf } from '../../src/transport/gateway.ts';

const here = { docker0: ['172.18.0.1'], eth0: ['10.0.0.5'] };

describe('the gateway of the default network', () => {
  it('is the one that the engine names', () => {
    expect(gatewayOf('172.17.0.0/16 172.17.0.1\ndocker0\n', here)).toBe('172.17.0.1');
  });

  it('is the address of its interface where a docker that was started once names none', () => {
    expect(gatewayOf('172.18.0.0/16 \ndocker0\n', here)).toBe('172.18.0.1');
    expect(gatewayOf('172.18.0.0/16 <no value>\ndocker0\n', here)).toBe('172.18.0.1');
  });

  it('is none when that interface is of another network, of another host, or not there', () => {
    expect(gatewayOf('172.30.0.0/16 \ndocker0\n', here)).toBeUndefined();
    expect(gatewayOf('172.18.0.0/16 \nbr-other\n', here)).toBeUndefined();
    expect(gatewayOf('\n\n', here)).toBeUndefined();
  });
});
