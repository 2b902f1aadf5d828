import type { MachineTimeline } from '@kopsctl/actions/timeline/machine-timeline.ts';
import { expect, test } from 'vitest';
import { lanesOf, timelineHtml, timelineSvg } from './timeline-svg.ts';
import { timelineText } from './timeline-text.ts';

const MACHINE: MachineTimeline = {
  node: 'nodes-1',
  startMs: Date.UTC(2026, 0, 1),
  durationMs: 900,
  result: 'failed',
  knowsCriticalPath: true,
  tasks: [
    { task: 'Package/slow', startMs: 0, durationMs: 500, result: 'changed', isCritical: true },
    { task: 'File/quick', startMs: 10, durationMs: 3, result: 'unchanged', isCritical: false },
    {
      task: 'Service/<b>',
      startMs: 500,
      durationMs: 400,
      result: 'failed',
      error: 'no "unit" & none',
      isCritical: true,
    },
  ],
};

test('a terminal gets bars on one scale, the critical ones marked, and what is not shown is counted', () => {
  expect(timelineText([MACHINE], { all: false })).toBe(
    [
      'nodes-1: booted at 2026-01-01T00:00:00.000Z, failed after 0.90 s, 3 tasks',
      '     0.00 |######################                  |    0.50 s  Package/slow',
      '     0.50 |                      ##################|    0.40 s  Service/<b>  failed: no "unit" & none',
      '  1 shorter tasks are not shown (--all shows them)',
      '',
    ].join('\n'),
  );
  expect(timelineText([MACHINE], { all: true })).toContain('File/quick');
});

test('tasks that ran beside each other are in lanes of their own', () => {
  expect(lanesOf(MACHINE.tasks).map((lane) => lane.map(({ task }) => task))).toEqual([
    ['Package/slow'],
    ['File/quick', 'Service/<b>'],
  ]);
});

test('what machines wrote is text in a picture, never markup', () => {
  for (const picture of [timelineSvg('Boots of a', [MACHINE]), timelineHtml('<script>', [MACHINE])]) {
    expect(picture).toContain('Service/&lt;b&gt;');
    expect(picture).toContain('no &quot;unit&quot; &amp; none');
    expect(picture).not.toMatch(/<script>|<b>/);
  }
});

/** Widths of the bars of a picture, in pixels, in their order. */
const widthsIn = (svg: string): readonly number[] =>
  [...svg.matchAll(/<g><title>.*?<rect [^>]*width="([\d.]+)"/gs)].map(([, width]) => Number(width));
const axisLines = (svg: string): number => svg.split('<line ').length - 1;

test('boots of different months have a scale each, and those of one minute have one', () => {
  const at = (node: string, startMs: number): MachineTimeline => ({ ...MACHINE, node, startMs });
  const [august, november] = [Date.UTC(2026, 7, 1), Date.UTC(2026, 10, 20)];
  const alone = widthsIn(timelineSvg('a', [at('first', august)]));
  const apart = timelineSvg('a', [at('first', august), at('last', november)]);
  expect(widthsIn(apart)).toEqual([...alone, ...alone]);
  expect(axisLines(apart)).toBe(2);
  expect(apart).toContain('began at 2026-08-01T00:00:00.000Z');
  expect(apart).toContain('began at 2026-11-20T00:00:00.000Z');
  const together = timelineSvg('a', [at('first', august), at('second', august + 900)]);
  expect(widthsIn(together)[0]).toBeCloseTo((alone[0] ?? 0) / 2, 0);
  expect(together).not.toContain('began at 2026-08-01T00:00:00.900Z');
});

test('a boot whose start cannot be read is shown, with that', () => {
  const { startMs: _, ...unknown } = MACHINE;
  const picture = timelineSvg('a', [{ ...unknown, node: 'odd' }, MACHINE]);
  expect(picture).toContain('at an unknown time');
  expect(picture).toContain('began at 2026-01-01T00:00:00.000Z');
  expect(picture).not.toContain('1970');
  expect(timelineText([{ ...unknown, node: 'odd' }], { all: false })).toContain(
    'odd: booted at an unknown time (its report has no start that can be read), failed',
  );
});

test('however long a machine says that it took, an axis has a few lines', () => {
  for (const durationMs of [500 * 86_400_000, 1e300]) {
    expect(axisLines(timelineSvg('a', [{ ...MACHINE, durationMs }]))).toBeLessThan(14);
  }
});
