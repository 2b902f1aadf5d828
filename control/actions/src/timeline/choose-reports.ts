import type { Entry } from '@kopsctl/state-store/store.ts';

/** A boot report as the state store lists it. */
export interface StoredReport {
  readonly node: string;
  readonly entry: Entry;
}

/** The machines whose boots are to be shown. */
export type WantedBoots =
  | { readonly kind: 'all' }
  /** This machine, whether or not it is still there. */
  | { readonly kind: 'node'; readonly node: string }
  /** Machines that the cloud has: it replaces machines of its groups by itself, and their reports stay behind. */
  | { readonly kind: 'existing'; readonly machines: ReadonlySet<string> }
  /** Where it is not known which machines there are. */
  | { readonly kind: 'newest' };

/** More cannot be told apart on a screen, and a cluster may have had any number of machines. */
export const NEWEST = 50;

/** The reports that are read, and how many are left out. Pure. */
export function chooseReports(
  reports: readonly StoredReport[],
  wanted: WantedBoots,
): { readonly shown: readonly StoredReport[]; readonly left: number } {
  const shown = chosen(reports, wanted);
  return { shown, left: wanted.kind === 'node' ? 0 : reports.length - shown.length };
}

function chosen(reports: readonly StoredReport[], wanted: WantedBoots): readonly StoredReport[] {
  switch (wanted.kind) {
    case 'all':
      return reports;
    case 'node':
      return reports.filter(({ node }) => node === wanted.node);
    case 'existing':
      return reports.filter(({ node }) => wanted.machines.has(node));
    case 'newest':
      return reports.toSorted((left, right) => right.entry.modifiedMs - left.entry.modifiedMs).slice(0, NEWEST);
  }
}
