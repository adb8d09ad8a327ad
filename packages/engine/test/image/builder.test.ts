import { describe, expect, it } from 'vitest';
import { type Builder, type BuilderFacts, chooseBuilder } from '../../src/index.ts';
import { buildArguments } from '../../src/image/build-image.ts';

describe('chooseBuilder', () => {
  it.each<[Builder, BuilderFacts]>([
    ['buildx', { clientVersion: '28.2.2', wish: undefined, buildx: true }],
    ['buildx', { clientVersion: '28.2.2', wish: '1', buildx: true }],
    ['buildx', { clientVersion: 'dev', wish: undefined, buildx: true }],
    ['legacy', { clientVersion: '28.2.2', wish: '0', buildx: true }],
    ['legacy', { clientVersion: '28.2.2', wish: 'false', buildx: true }],
    ['legacy', { clientVersion: '28.2.2', wish: undefined, buildx: false }],
    ['legacy', { clientVersion: '28.2.2', wish: '1', buildx: false }],
    ['legacy', { clientVersion: '20.10.24+dfsg1', wish: undefined, buildx: false }],
    ['legacy', { clientVersion: '20.10.24+dfsg1', wish: '', buildx: true }],
    ['buildkit', { clientVersion: '20.10.24+dfsg1', wish: '1', buildx: false }],
    ['buildkit', { clientVersion: '20.10.24+dfsg1', wish: 'true', buildx: true }],
  ])('%s for %j', (builder, facts) => {
    expect(chooseBuilder(facts)).toBe(builder);
  });
});

describe('buildArguments', () => {
  const options = {
    context: '/c',
    containerfile: '/c/F',
    tag: 't',
    labels: { l: 'v' },
    buildArguments: { HTTP_PROXY: 'secret' },
  };

  it('S14: names build arguments without their values', () => {
    const args = buildArguments(options, 'legacy');
    const named = ['--label', 'l=v', '--build-arg', 'HTTP_PROXY'];
    expect(args).toEqual(['build', '--tag', 't', '--file', '/c/F', ...named, '--force-rm', '/c']);
  });

  it('B21: loads the result when buildx is in play, and only then', () => {
    expect(buildArguments(options, 'buildx')).toContain('--load');
    expect(buildArguments(options, 'buildkit')).not.toContain('--load');
    expect(buildArguments(options, 'legacy')).not.toContain('--load');
  });
});
