import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { definitionDigest, type DigestInput, imageReference } from '../src/digest.ts';

const file = (path: string, text: string, mode = 0o644): DigestInput['files'][number] => ({
  path,
  mode,
  content: Buffer.from(text),
});
const input: DigestInput = { agent: 'pi', containerfile: 'FROM a\n', files: [file('a', '1'), file('b', '2')] };

describe('definitionDigest', () => {
  it.each<[string, Partial<DigestInput>]>([
    ['the agent', { agent: 'doompi' }],
    ['the Containerfile', { containerfile: 'FROM b\n' }],
    ['a byte of a file', { files: [file('a', '1'), file('b', '3')] }],
    ['a mode', { files: [file('a', '1', 0o755), file('b', '2')] }],
    ['a path', { files: [file('a', '1'), file('c', '2')] }],
    ['one file less', { files: [file('a', '1')] }],
    ['bytes moved from one file to the next', { files: [file('a', ''), file('b', '12')] }],
    ['bytes moved from a name to its content', { files: [file('a1', ''), file('b', '2')] }],
  ])('changes with %s', (_, part) => {
    expect(definitionDigest({ ...input, ...part })).not.toBe(definitionDigest(input));
  });

  it('does not change with the order of files', () => {
    expect(definitionDigest({ ...input, files: input.files.toReversed() })).toBe(definitionDigest(input));
  });
});

describe('imageReference', () => {
  it('shows version and digest', () => {
    expect(imageReference('1.6.0', 'abcdef0123456789')).toBe('doompi-sandbox:v1.6.0-abcdef012345');
    expect(imageReference('1.0.0+build/7', 'abcdef0123456789')).toBe('doompi-sandbox:v1.0.0-build-7-abcdef012345');
  });

  it('is a valid tag for any version', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (version) => {
        expect(imageReference(version, '0'.repeat(64))).toMatch(/^doompi-sandbox:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/);
      }),
    );
  });
});
