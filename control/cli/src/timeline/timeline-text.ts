import type { MachineTimeline, TimelineTask } from '@kopsctl/actions/timeline/machine-timeline.ts';
import { startText } from './start-text.ts';

/** Columns of the bars; with times and names a line fits into 120. */
const BAR_WIDTH = 40;
/** Shorter tasks are counted instead of shown, unless all are asked for. */
const WORTH_SHOWING_MS = 50;

/** Machines one below the other, each with its tasks as bars on one scale: `#` where the task decided how long the boot took. */
export function timelineText(machines: readonly MachineTimeline[], { all }: { readonly all: boolean }): string {
  const longestMs = Math.max(1, ...machines.map(({ durationMs }) => durationMs));
  return machines.map((machine) => machineText(machine, longestMs, all)).join('\n');
}

function machineText(machine: MachineTimeline, longestMs: number, all: boolean): string {
  const shown = machine.tasks.filter((task) => all || isWorthShowing(task));
  const left = machine.tasks.length - shown.length;
  const lines = [
    `${machine.node}: booted ${startText(machine.startMs)}, ${outcome(machine)} after ${seconds(machine.durationMs)} s, ${machine.tasks.length} tasks`,
    ...shown.map((task) => taskLine(task, longestMs)),
    ...(left > 0 ? [`  ${left} shorter tasks are not shown (--all shows them)`] : []),
    ...(machine.knowsCriticalPath
      ? []
      : ['  its plan is no longer in the store, so what waited for what is not known']),
  ];
  return `${lines.join('\n')}\n`;
}

const isWorthShowing = ({ isCritical, durationMs, result }: TimelineTask): boolean =>
  result === 'failed' || durationMs >= WORTH_SHOWING_MS || (isCritical && durationMs > 0);

function taskLine(task: TimelineTask, longestMs: number): string {
  const column = (ms: number) => Math.round((ms / longestMs) * BAR_WIDTH);
  const start = Math.min(column(task.startMs), BAR_WIDTH - 1);
  const width = Math.max(1, Math.min(column(task.startMs + task.durationMs), BAR_WIDTH) - start);
  const bar = `${' '.repeat(start)}${(task.isCritical ? '#' : '-').repeat(width)}`.padEnd(BAR_WIDTH);
  const error = task.error === undefined ? '' : `  ${task.result}: ${task.error}`;
  return `  ${seconds(task.startMs).padStart(7)} |${bar}| ${seconds(task.durationMs).padStart(7)} s  ${task.task}${error}`;
}

const outcome = ({ result }: MachineTimeline): string => (result === 'running' ? 'still running' : result);

const seconds = (ms: number): string => (ms / 1000).toFixed(2);
