import { FieldReader } from '@kopsctl/agent/field-reader.ts';
import { Refusal } from '../session/session.ts';

/** Keeps a machine's report of its boot. It must be a report about that machine. */
export async function keepReport(
  nodeName: string,
  report: Buffer,
  keep: (report: Buffer, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  if (!isReportOf(nodeName, report)) throw new Refusal(400, 'what it sent is no report of its boot');
  await keep(report, signal);
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
