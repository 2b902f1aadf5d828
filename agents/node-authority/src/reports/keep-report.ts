import { FieldReader } from '@kopsctl/agent/field-reader.ts';
import { isReportKind } from '@kopsctl/node-identity/report-kind.ts';
import { Refusal } from '../session/session.ts';

/** Keeps a machine's report of its boot, or of its state. It must be a report about that machine. */
export async function keepReport(
  nodeName: string,
  report: Buffer,
  keep: (report: Buffer, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  if (!isReportOf(nodeName, report)) throw new Refusal(400, 'what it sent is no report about it');
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
  return isReportKind(from.text('kind')) && from.text('node') === nodeName;
}
