import { headOfReport } from '@kopsctl/node-identity/report-kind.ts';
import { Refusal } from '../session/session.ts';

/** Keeps a machine's report of its boot, or of its state. It must be a report about that machine. */
export async function keepReport(
  nodeName: string,
  report: Buffer,
  keep: (report: Buffer, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  if (headOfReport(report)?.node !== nodeName) throw new Refusal(400, 'what it sent is not a report about itself');
  await keep(report, signal);
}
