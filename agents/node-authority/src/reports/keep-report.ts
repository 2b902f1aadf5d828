import { FieldReader } from '@kopsctl/agent/field-reader.ts';
import { bootReportPath } from '@kopsctl/node-plan/boot-report.ts';
import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';
import { Refusal } from '../session/session.ts';

/** Puts a machine's report of its boot in its own place of the store. It must be a report about that machine. */
export async function keepReport(
  cluster: string,
  nodeName: string,
  report: Buffer,
  store: StateStore,
  signal: AbortSignal,
): Promise<void> {
  if (!isReportOf(nodeName, report)) throw new Refusal(400, 'what it sent is no report of its boot');
  const path = bootReportPath(cluster, nodeName);
  for (;;) {
    const there = await store.read(path, signal);
    if (there !== undefined && report.equals(there.bytes)) return;
    const condition = there === undefined ? ({ ifAbsent: true } as const) : { ifVersion: there.version };
    try {
      await store.write(path, report, condition, signal);
      return;
    } catch (error) {
      // The machine has changed over from another authority, whose write came in between.
      if (!(error instanceof ConflictError)) throw error;
    }
  }
}

function isReportOf(nodeName: string, report: Buffer): boolean {
  let value: unknown;
  try {
    value = JSON.parse(report.toString('utf8'));
  } catch {
    return false;
  }
  const from = new FieldReader(value);
  return from.text('kind') === 'BootReport' && from.text('node') === nodeName;
}
