import { isNodeName } from '@kopsctl/node-identity/node-name.ts';
import { headOfReport, type ReportKind } from '@kopsctl/node-identity/report-kind.ts';
import { bootReportPath } from '@kopsctl/node-plan/boot-report.ts';
import { machineReportPath } from '@kopsctl/node-plan/machine-report.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
import { againOnConflict } from '@kopsctl/state-store/again-on-conflict.ts';

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

/** Puts a machine's report in its own place of the store. */
export function keepReport(path: string, report: Buffer, store: StateStore, signal: AbortSignal): Promise<void> {
  // A machine changes over from one authority to another once or twice while it boots, and each of them writes.
  return againOnConflict(async () => {
    const there = await store.read(path, signal);
    if (there !== undefined && report.equals(there.bytes)) return;
    await store.write(path, report, ifUnchanged(there?.version), signal);
  });
}
