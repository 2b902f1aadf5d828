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
