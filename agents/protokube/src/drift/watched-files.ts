import { basename, dirname } from 'node:path';
import { parsePlan } from '@kopsctl/node-plan/plan-document.ts';

/** Files whose changes are worth a look at the machine: their names, by the folder that they are in. */
export type WatchedFiles = ReadonlyMap<string, ReadonlySet<string>>;

/** The files whose state a plan describes. Pure. @throws if it is not a plan */
export function watchedFiles(plan: Uint8Array, where: string): WatchedFiles {
  const folders = new Map<string, Set<string>>();
  for (const { kind, props } of parsePlan(plan, where).tasks) {
    const { path } = props;
    // A path with a fact of the machine in it is left to the check that runs now and then.
    if (kind !== 'File' || typeof path !== 'string' || path.includes('@{')) continue;
    const folder = dirname(path);
    folders.set(folder, (folders.get(folder) ?? new Set()).add(basename(path)));
  }
  return folders;
}
