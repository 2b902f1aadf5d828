import { FieldReader } from '@kopsctl/agent/field-reader.ts';
import { isNodeName } from '@kopsctl/node-identity/node-name.ts';
import { bootReportPath } from '@kopsctl/node-plan/boot-report.ts';
import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';

/** The node that a boot report is of; undefined for what is no report. */
export function nodeOfReport(report: Buffer): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(report.toString('utf8'));
  } catch {
    return undefined;
  }
  const from = new FieldReader(value);
  const node = from.text('node');
  return from.text('kind') === 'BootReport' && isNodeName(node) ? node : undefined;
}

/** A machine changes over from one authority to another once or twice while it boots. */
const MAX_CONFLICTS = 10;

/** Puts a machine's report of its boot in its own place of the store. */
export async function keepBootReport(
  cluster: string,
  node: string,
  report: Buffer,
  store: StateStore,
  signal: AbortSignal,
): Promise<void> {
  const path = bootReportPath(cluster, node);
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
