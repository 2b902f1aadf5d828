import { readFile } from 'node:fs/promises';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import { z } from 'zod';
import type { ClusterPaths } from '../records/cluster-paths.ts';
import { readJsonFile } from '../records/json-file.ts';

/** The process whose end ends the cluster. PIDs are reused, so the start time is part of its identity. */
const holderSchema = z.object({ pid: z.int(), startTime: z.string() });
export type Holder = z.infer<typeof holderSchema>;

/** The holder of the cluster; undefined if it does not run. */
export async function livingHolder(paths: ClusterPaths): Promise<Holder | undefined> {
  const holder = await readJsonFile(paths.holder, holderSchema);
  if (holder === undefined || (await startTimeOf(holder.pid)) !== holder.startTime) return undefined;
  return holder;
}

/** The start time of a process, in clock ticks since boot; undefined if it has ended or is a zombie. */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name of the command may contain spaces and parentheses; fields are counted after its last parenthesis.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}

/** PID 1 of the cluster's namespaces, in the host's PID namespace, for nsenter. */
export async function initOf(holder: Holder): Promise<number> {
  const children = await readFile(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8');
  const [first] = children.trim().split(' ');
  if (first === undefined || first === '') throw new Error(`the supervisor's holder ${holder.pid} has no child`);
  return Number(first);
}
