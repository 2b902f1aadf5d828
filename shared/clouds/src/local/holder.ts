import { readFile } from 'node:fs/promises';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import { z } from 'zod';
import type { ClusterPaths } from './cluster-paths.ts';
import { readJsonFile } from './json-file.ts';

/** The process whose end ends a cluster. Pids are used again: only with its start time is a process known. */
const holderSchema = z.object({ pid: z.int(), startTime: z.string() });
export type Holder = z.infer<typeof holderSchema>;

/** The cluster's holder, while it lives. */
export async function livingHolder(paths: ClusterPaths): Promise<Holder | undefined> {
  const holder = await readJsonFile(paths.holder, holderSchema);
  if (holder === undefined || (await startTimeOf(holder.pid)) !== holder.startTime) return undefined;
  return holder;
}

/** When a process started, in clock ticks since boot; undefined when it is gone or a zombie. */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The command name may hold spaces and brackets; fields are counted after its last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}

/** PID 1 of the cluster's namespaces, as the host numbers it: what nsenter wants. */
export async function initOf(holder: Holder): Promise<number> {
  const children = await readFile(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8');
  const [first] = children.trim().split(' ');
  if (first === undefined || first === '') throw new Error(`the supervisor's holder ${holder.pid} has no child`);
  return Number(first);
}
