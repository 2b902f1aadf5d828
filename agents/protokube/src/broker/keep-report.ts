import { isNodeName } from '@kopsctl/node-identity/node-name.ts';
import { headOfReport, type ReportKind } from '@kopsctl/node-identity/report-kind.ts';
import { bootReportPath } from '@kopsctl/node-plan/boot-report.ts';
import { machineReportPath } from '@kopsctl/node-plan/machine-report.ts';
import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';

const PATHS: Readonly<Record<ReportKind, (cluster: string, node: string) => string>> = {
  BootReport: bootReportPath,
  MachineReport: machineReportPath,
};

/** The node that a report is about, and where the report belongs; undefined for anything that is not a report. */
export function placeOfReport(
  cluster: string,
  report: Buffer,
): { readonly node: string; readonly path: string } | undefined {
  const head = headOfReport(report);
  if (head === undefined || !isNodeName(head.node)) return undefined;
  return { node: head.node, path: PATHS[head.kind](cluster, head.node) };
}

/** A machine changes over from one authority to another once or twice while it boots. */
const MAX_CONFLICTS = 10;

/** Puts a machine's report in its own place of the store. */
export async function keepReport(path: string, report: Buffer, store: StateStore, signal: AbortSignal): Promise<void> {
  for (let conflicts = 0; ; conflicts += 1) {
    const there = await store.read(path, signal);
    if (there !== undefined && report.equals(there.bytes)) return;
    const condition = there === undefined ? ({ ifAbsent: true } as const) : { ifVersion: there.version };
    try {
      await store.write(path, report, condition, signal);
      return;
    } catch (error) {
      // Another authority's write came in between.
      if (!(error instanceof ConflictError) || conflicts >= MAX_CONFLICTS) throw error;
    }
  }
}
