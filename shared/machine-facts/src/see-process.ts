import { readFile } from 'node:fs/promises';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';

/** What can be seen of a process. */
export type SeenProcess =
  /** `startTime`: when it began, in clock ticks since the boot. PIDs are reused; with this, a PID means one process. */
  | { readonly state: 'runs'; readonly startTime: string }
  /** It has ended, and waits to be reaped. */
  | { readonly state: 'zombie' }
  /** There is none, or /proc shows nobody the processes of others (hidepid=2). */
  | { readonly state: 'unseen' };

/** Looks a process up in /proc (proc(5)). @throws Error where it is there and may not be read (hidepid=1) */
export async function seeProcess(pid: number): Promise<SeenProcess> {
  let stat: string;
  try {
    stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  } catch (error) {
    const code = codeOf(error);
    // ESRCH: it ended between opening and reading.
    if (code === 'ENOENT' || code === 'ESRCH') return { state: 'unseen' };
    throw error;
  }
  // The name of the command may contain spaces and parentheses; fields are counted after its last parenthesis.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const startTime = fields[19];
  if (startTime === undefined) throw new Error(`/proc/${pid}/stat has no start time: ${stat}`);
  return fields[0] === 'Z' ? { state: 'zombie' } : { state: 'runs', startTime };
}

/** Whether a process that began then still runs. */
export async function isRunningSince(pid: number, startTime: string): Promise<boolean> {
  const seen = await seeProcess(pid);
  return seen.state === 'runs' && seen.startTime === startTime;
}
