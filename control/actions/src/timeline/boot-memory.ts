import type { Entry } from '@kopsctl/state-store/store.ts';
import type { UnreadableReport } from '../follow/read-boot-report.ts';
import type { MachineTimeline } from './machine-timeline.ts';

/** What a boot report tells, or why it tells nothing. */
export type Boot = MachineTimeline | UnreadableReport;

/** What was read of a report; undefined if it is gone. */
export type ReadBoot = { readonly boot: Boot; readonly isWhole: boolean } | undefined;

/** What was read of boot reports, for one who asks again and again: a list of the store tells which have changed. */
export interface BootMemory {
  /** What the report tells, which is read only if it has changed since. */
  recall(entry: Entry, read: () => Promise<ReadBoot>): Promise<Boot | undefined>;
  /** Forgets the reports below a folder that are not among these. */
  keep(folder: string, entries: readonly Entry[]): void;
}

export function bootMemory(): BootMemory {
  const known = new Map<string, { readonly version: string; readonly boot: Boot }>();
  return {
    async recall({ path, version }, read) {
      const before = known.get(path);
      if (before?.version === version) return before.boot;
      const now = await read();
      // What the store did not give to its end says nothing of the report.
      if (now?.isWhole === true) known.set(path, { version, boot: now.boot });
      return now?.boot;
    },
    keep(folder, entries) {
      const kept = new Set(entries.map(({ path }) => path));
      for (const path of known.keys()) {
        if (path.startsWith(`${folder}/`) && !kept.has(path)) known.delete(path);
      }
    },
  };
}
