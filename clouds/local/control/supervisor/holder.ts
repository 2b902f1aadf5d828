import { readFile } from 'node:fs/promises';
import { isRunningSince } from '@kopsctl/machine-facts/see-process.ts';
import * as z from 'zod';
import type { ClusterPaths } from '../records/cluster-paths.ts';
import { readJsonFile } from '../records/json-file.ts';

/** The process whose end ends the cluster. PIDs are reused, so the start time is part of its identity. */
const holderSchema = z.object({ pid: z.int(), startTime: z.string() });
export type Holder = z.infer<typeof holderSchema>;

/** The holder of the cluster; undefined if it does not run. */
export async function livingHolder(paths: ClusterPaths): Promise<Holder | undefined> {
  const holder = await readJsonFile(paths.holder, holderSchema);
  return holder !== undefined && (await isRunningSince(holder.pid, holder.startTime)) ? holder : undefined;
}

/** PID 1 of the cluster's namespaces, in the host's PID namespace, for nsenter. */
export async function initOf(holder: Holder): Promise<number> {
  const children = await readFile(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8');
  const [first] = children.trim().split(' ');
  if (first === undefined || first === '') throw new Error(`the supervisor's holder ${holder.pid} has no child`);
  return Number(first);
}
