import type { ActionEvent } from '@kopsctl/actions/phases/action.ts';
import { type Progress, progressBar } from './paint.ts';

/** Follows how much of an apply or a rolling update is done. Returns the bar to show; empty where there is none to show any more. */
export function progressCounter(): (event: ActionEvent) => string | undefined {
  let counted: (Omit<Progress, 'elapsedMs'> & { readonly startedMs: number }) | undefined;
  const begin = (total: number, what: string, startedMs: number) => {
    counted = { done: 0, total, what, startedMs };
  };
  const step = (atMs: number): string | undefined => {
    if (counted === undefined) return undefined;
    counted = { ...counted, done: counted.done + 1 };
    return progressBar({ ...counted, elapsedMs: atMs - counted.startedMs });
  };
  const end = (): string | undefined => {
    if (counted === undefined) return undefined;
    counted = undefined;
    return '';
  };
  return (event) => {
    if (event.type === 'task' && event.mode === 'apply') {
      const { type, atMs } = event.event;
      if (type === 'run-started') begin(event.event.tasks.length, 'tasks', atMs);
      else if (type === 'task-finished' || type === 'task-failed' || type === 'task-skipped') return step(atMs);
      else if (type === 'run-finished') return end();
    } else if (event.type === 'roll') {
      const { type, atMs } = event.event;
      if (type === 'roll-started') begin(event.event.machines, 'machines', atMs);
      else if (type === 'machine-step' && (event.event.step === 'done' || event.event.step === 'failed'))
        return step(atMs);
      else if (type === 'roll-ended') return end();
    }
    return undefined;
  };
}
