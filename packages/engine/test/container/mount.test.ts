import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mountArgument, runArguments } from '../../src/index.ts';
import { parseCsvRecord } from '../helpers/csv.ts';
import { stubEngine } from '../helpers/engine.ts';

const path = fc.string({ unit: 'binary', minLength: 1 }).map((text) => `/${text}`);
const mountable = path.filter((text) => !text.includes('\0') && !text.includes('\r\n'));

describe('mountArgument', () => {
  it.each([
    ['plain path', '/a/b', 'type=bind,source=/a/b,target=/t'],
    ['colon', '/a:b', 'type=bind,source=/a:b,target=/t'],
    ['comma', '/a,b', 'type=bind,"source=/a,b",target=/t'],
    ['double quote', '/a"b', 'type=bind,"source=/a""b",target=/t'],
    ['blank', '/a b ', 'type=bind,"source=/a b ",target=/t'],
    ['newline', '/a\nb', 'type=bind,"source=/a\nb",target=/t'],
  ])('B05: quotes a source with %s', (_, source, expected) => {
    expect(mountArgument({ type: 'bind', source, target: '/t' })).toBe(expected);
  });

  it('B05: an RFC 4180 reader gets every path back', () => {
    fc.assert(
      fc.property(mountable, mountable, fc.boolean(), (source, target, readOnly) => {
        const record = parseCsvRecord(mountArgument({ type: 'bind', source, target, readOnly }));
        expect(record).toEqual(['type=bind', `source=${source}`, `target=${target}`, ...(readOnly ? ['readonly'] : [])]);
      }),
    );
  });

  it('names a volume, read-only when asked for', () => {
    expect(mountArgument({ type: 'volume', source: 'home', target: '/h', readOnly: true })).toBe(
      'type=volume,source=home,target=/h,readonly',
    );
  });

  it.each([
    ['relative source', { type: 'bind', source: 'a', target: '/t' } as const, /mount\.source.*absolute.*"a"/],
    ['relative target', { type: 'volume', source: 'v', target: 't' } as const, /mount\.target.*absolute.*"t"/],
    ['empty volume name', { type: 'volume', source: '', target: '/t' } as const, /mount\.source/],
    ['NUL', { type: 'bind', source: '/a\0b', target: '/t' } as const, /mount\.source/],
    ['CR LF, which the engine would change', { type: 'bind', source: '/a\r\nb', target: '/t' } as const, /mount\.source/],
  ])('refuses a %s', (_, mount, message) => {
    expect(() => mountArgument(mount)).toThrow(TypeError);
    expect(() => mountArgument(mount)).toThrow(message);
  });

  it('gives a tmpfs its options, and refuses a target that --tmpfs would split', () => {
    const spec = {
      image: 'i',
      command: [],
      interactive: false,
      tty: false,
      labels: {},
      environment: [],
      workdir: '/',
      pull: 'never',
    } as const;
    const tmpfs = (target: string): string[] =>
      runArguments({ ...spec, mounts: [{ type: 'tmpfs', target, options: 'exec,mode=1777' }] }, stubEngine('/docker'));
    expect(tmpfs('/tmp')).toContain('/tmp:exec,mode=1777');
    expect(() => tmpfs('/a:b')).toThrow(TypeError);
  });
});
