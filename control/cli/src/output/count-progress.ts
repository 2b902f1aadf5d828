import { podsOf } from '@kopsctl/actions/rolling/pods-of.ts';
import type { ActionEvent } from '@kopsctl/actions/phases/action.ts';
import { type Progress, progressBar, progressText } from './paint.ts';

type Begun = Omit<Progress, 'elapsedMs'> & { readonly startedMs: number };

/**
 * Tracks the progress of an apply, of a rolling update, and of work that is counted separately. Returns the bar to show:
 * empty where there is none to show any more, undefined where it stays as it is.
 */
export function progressCounter(): (event: ActionEvent) => string | undefined {
  let work: Begun | undefined;
  const parts = new Map<string, Begun>();
  const shown = (atMs: number): string => {
    const [first, ...others] = [...(work === undefined ? [] : [work]), ...parts.values()].map((one) => ({
      ...one,
      elapsedMs: atMs - one.startedMs,
    }));
    return first === undefined ? '' : [progressBar(first), ...others.map(progressText)].join('; ');
  };
  const begin = (total: number, what: string, startedMs: number): undefined => {
    work = { done: 0, total, what, startedMs };
    return undefined;
  };
  const step = (atMs: number): string | undefined => {
    if (work === undefined) return undefined;
    work = { ...work, done: work.done + 1 };
    return shown(atMs);
  };
  const end = (): string | undefined => {
    if (work === undefined) return undefined;
    work = undefined;
    parts.clear();
    return '';
  };
  return (event) => {
    if (event.type === 'counted') {
      const { what, done, total, atMs } = event;
      if (done >= total) parts.delete(what);
      else parts.set(what, { what, done, total, startedMs: parts.get(what)?.startedMs ?? atMs });
      return shown(atMs);
    }
    if (event.type === 'task' && event.mode === 'apply') {
      const { type, atMs } = event.event;
      if (type === 'run-started') return begin(event.event.tasks.length, 'tasks', atMs);
      if (type === 'task-finished' || type === 'task-failed' || type === 'task-skipped') return step(atMs);
      return type === 'run-finished' ? end() : undefined;
    }
    if (event.type === 'roll') {
      const { type, atMs } = event.event;
      if (type === 'roll-started') return begin(event.event.machines, 'machines', atMs);
      if (type === 'machine-step') {
        // A drain that ran out of time leaves pods behind, which nobody counts any more.
        const isDrainOver = event.event.step !== 'drain' && parts.delete(podsOf(event.event.node));
        if (event.event.step === 'done' || event.event.step === 'failed') return step(atMs);
        return isDrainOver ? shown(atMs) : undefined;
      }
      return type === 'roll-ended' ? end() : undefined;
    }
    return undefined;
  };
}
