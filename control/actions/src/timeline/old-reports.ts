import { hostPath } from '@kopsctl/node-identity/host-record.ts';
import { bootReportPath } from '@kopsctl/node-plan/boot-report.ts';
import { machineReportPath } from '@kopsctl/node-plan/machine-report.ts';
import type { Entry } from '@kopsctl/state-store/store.ts';

/** The reports of this many machines that are gone are kept, for those who ask why one of them did not come up. */
const KEPT = 50;
/** A machine that reported this recently may exist although its cloud does not list it at this moment. */
const RECENT_MS = 24 * 60 * 60_000;

/**
 * The reports that can go: of machines that have long been gone, beyond the number that is kept. Times are those of the store, and
 * are compared with each other alone. Pure.
 *
 * @param entries all that the store has of the cluster's nodes
 * @param there the Nodes of all machines that may exist
 */
export function oldReports(cluster: string, entries: readonly Entry[], there: ReadonlySet<string>): readonly Entry[] {
  const byNode = Map.groupBy(entries, ({ path }) => path.slice(`${cluster}/nodes/`.length).split('/')[0] ?? '');
  const gone = [...byNode].flatMap(([node, own]) => {
    // A person enrolled it, and no cloud lists it.
    if (there.has(node) || own.some(({ path }) => path === hostPath(cluster, node))) return [];
    const places = [bootReportPath(cluster, node), machineReportPath(cluster, node)];
    const reports = own.filter(({ path }) => places.includes(path));
    return reports.length === 0 ? [] : [{ reports, lastMs: Math.max(...reports.map(({ modifiedMs }) => modifiedMs)) }];
  });
  const newestMs = entries.reduce((newest, { modifiedMs }) => Math.max(newest, modifiedMs), 0);
  return gone
    .toSorted((left, right) => right.lastMs - left.lastMs)
    .slice(KEPT)
    .filter(({ lastMs }) => lastMs < newestMs - RECENT_MS)
    .flatMap(({ reports }) => reports);
}
