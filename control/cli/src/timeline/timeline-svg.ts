import type { MachineTimeline, TimelineTask } from '@kopsctl/actions/timeline/machine-timeline.ts';
import { escapeHtml } from '../output/escape-html.ts';
import { type BootGroup, bootGroups } from './boot-groups.ts';
import { startText } from './start-text.ts';

/** In pixels. */
const WIDTH = 1200;
const LABEL_WIDTH = 40;
const LANE_HEIGHT = 16;
const TITLE_HEIGHT = 28;
const GROUP_HEIGHT = 20;
const AXIS_HEIGHT = 14;

const COLOURS = { critical: '#c2410c', failed: '#b91c1c', other: '#94a3b8' };
/** Free space that a lane has to have before the next bar, so that names can be told apart. */
const GAP_MS = 20;

/** The boots of all machines as one picture: boots that ran together on one scale, below the time at which they began. */
export function timelineSvg(title: string, machines: readonly MachineTimeline[]): string {
  let y = TITLE_HEIGHT;
  const parts: string[] = [];
  for (const group of bootGroups(machines)) {
    const drawn = groupOf(group, y);
    parts.push(...drawn.parts);
    y = drawn.endY + LANE_HEIGHT;
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" font-family="sans-serif" font-size="11">`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    `<text x="${LABEL_WIDTH}" y="18" font-size="15" font-weight="bold">${escapeHtml(title)}</text>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
}

/** The boots of one group from `top` on, and where they end. */
function groupOf({ startMs, durationMs, machines }: BootGroup, top: number) {
  // A boot that took no time is at the left edge.
  const perMs = (WIDTH - 2 * LABEL_WIDTH) / Math.max(1, durationMs);
  const x = (ms: number) => LABEL_WIDTH + ms * perMs;
  let y = top + GROUP_HEIGHT + AXIS_HEIGHT;
  const bars: string[] = [];
  for (const machine of machines) {
    const afterMs = (machine.startMs ?? 0) - (startMs ?? 0);
    const lanes = lanesOf(machine.tasks);
    bars.push(
      heading(machine, y),
      ...lanes.flatMap((lane, index) =>
        lane.map((task) => bar(task, { x: (ms) => x(afterMs + ms), y: y + TITLE_HEIGHT + index * LANE_HEIGHT })),
      ),
    );
    y += TITLE_HEIGHT + lanes.length * LANE_HEIGHT + LANE_HEIGHT;
  }
  const caption = `<text x="${LABEL_WIDTH}" y="${top + 14}" fill="#475569">began ${startText(startMs)}</text>`;
  const marks = axis(durationMs / 1000, { top: top + GROUP_HEIGHT, bottom: y, x: (second) => x(second * 1000) });
  return { parts: [caption, ...marks, ...bars], endY: y };
}

/** The picture in a page that needs nothing else. */
export function timelineHtml(title: string, machines: readonly MachineTimeline[]): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="margin: 0; overflow-x: auto">
${timelineSvg(title, machines)}</body>
</html>
`;
}

/** Tasks that ran beside each other are in lanes below each other: each goes into the first lane that is free. */
export function lanesOf(tasks: readonly TimelineTask[]): readonly (readonly TimelineTask[])[] {
  const lanes: TimelineTask[][] = [];
  for (const task of tasks) {
    const free = lanes.find((lane) => {
      const last = lane.at(-1);
      return last === undefined || last.startMs + last.durationMs + GAP_MS <= task.startMs;
    });
    if (free === undefined) lanes.push([task]);
    else free.push(task);
  }
  return lanes;
}

function heading({ node, result, durationMs, tasks }: MachineTimeline, y: number): string {
  const text = `${node}: ${result} after ${(durationMs / 1000).toFixed(2)} s, ${tasks.length} tasks`;
  return `<text x="${LABEL_WIDTH}" y="${y + TITLE_HEIGHT - 8}" font-weight="bold">${escapeHtml(text)}</text>`;
}

interface Place {
  /** Where a time since the machine's boot began is drawn. */
  readonly x: (ms: number) => number;
  readonly y: number;
}

function bar(task: TimelineTask, { x, y }: Place): string {
  const from = x(task.startMs);
  const width = Math.max(1, x(task.startMs + task.durationMs) - from);
  const colour = task.result === 'failed' ? COLOURS.failed : task.isCritical ? COLOURS.critical : COLOURS.other;
  const details = `${task.task}: ${task.result}, from ${seconds(task.startMs)} s, ${seconds(task.durationMs)} s`;
  const error = task.error === undefined ? '' : `\n${task.error}`;
  // About six pixels for each letter: a name that does not fit is in the tooltip alone.
  const label =
    width > task.task.length * 6
      ? `<text x="${px(from + 3)}" y="${y + 11}" fill="#ffffff">${escapeHtml(task.task)}</text>`
      : '';
  return `<g><title>${escapeHtml(details + error)}</title><rect x="${px(from)}" y="${y + 1}" width="${px(width)}" height="${LANE_HEIGHT - 3}" fill="${colour}"/>${label}</g>`;
}

const DAY_SECONDS = 86_400;
const MAX_MARKS = 12;

interface AxisPlace {
  readonly top: number;
  readonly bottom: number;
  readonly x: (second: number) => number;
}

/** A line at each whole step of seconds, of which there are at most twelve: a machine says how long it took, and may say anything. */
function axis(totalSeconds: number, { top, bottom, x }: AxisPlace): readonly string[] {
  const step =
    [1, 2, 5, 10, 30, 60, 300, 600, 3600].find((one) => totalSeconds / one <= MAX_MARKS) ??
    Math.ceil(totalSeconds / DAY_SECONDS / MAX_MARKS) * DAY_SECONDS;
  const marks = Array.from({ length: Math.floor(totalSeconds / step) + 1 }, (_, index) => index * step);
  return marks.map(
    (second) =>
      `<line x1="${px(x(second))}" x2="${px(x(second))}" y1="${top}" y2="${bottom}" stroke="#e2e8f0"/><text x="${px(x(second) + 2)}" y="${top + 10}" fill="#475569">${second} s</text>`,
  );
}

const px = (value: number): string => value.toFixed(1);
const seconds = (ms: number): string => (ms / 1000).toFixed(2);
