import { expect, it } from 'vitest';
import { createProgress, type Progress } from '../src/progress.ts';

const collect = (isTTY: boolean): { written: string[]; progress: Progress } => {
  const written: string[] = [];
  let clock = 0;
  const progress = createProgress({ isTTY, columns: 40, write: (text) => written.push(text) }, () => (clock += 1500));
  return { written, progress };
};

it('away from a terminal every notice is one plain line', () => {
  const { written, progress } = collect(false);
  progress.notice({ code: 'image-building', reference: 'tag' });
  progress.notice({ code: 'image-build-output', line: 'Step 1\u001B[31m' });
  progress.end();
  expect(written).toEqual([
    'doompi-sandbox: building tag (first run for this definition)\n',
    'doompi-sandbox: Step 1\u{fffd}[31m\n',
  ]);
});

it('on a terminal the build is one line that is rewritten and at last cleared', () => {
  const { written, progress } = collect(true);
  progress.notice({ code: 'image-building', reference: 'tag' });
  progress.notice({ code: 'image-build-output', line: 'x'.repeat(100) });
  progress.notice({ code: 'starting', reference: 'tag' });
  expect(written[1]?.startsWith('\r\u001B[2Kdoompi-sandbox: building, 2 s: xx')).toBe(true);
  expect(written[1]?.replace('\r\u001B[2K', '')).toHaveLength(39);
  expect(written.slice(2)).toEqual(['\r\u001B[2K', 'doompi-sandbox: starting the session in tag\n']);
});

it('a line feed in a name forges no line of ours', () => {
  const { written, progress } = collect(false);
  progress.notice({ code: 'home-as-repository', path: '/x\ndoompi-sandbox: fine' });
  expect(written.join('').match(/\n/g)).toHaveLength(1);
});

it('a refresh is timed like a first build', () => {
  const { written, progress } = collect(true);
  progress.notice({ code: 'image-refreshing', reference: 'tag' });
  progress.notice({ code: 'image-build-output', line: 'x' });
  expect(written[1]).toContain('building, 2 s: x');
});
