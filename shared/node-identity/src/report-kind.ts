import { FieldReader } from '@kopsctl/agent/field-reader.ts';

const KINDS = ['BootReport', 'MachineReport'] as const;

/** The reports that a machine may have stored about itself: how it booted, and why it does not work. */
export type ReportKind = (typeof KINDS)[number];

const isReportKind = (kind: string): kind is ReportKind => KINDS.some((one) => one === kind);

/** What kind of report it is, and of which node, as the report says; undefined for anything that is not a report. Pure. */
export function headOfReport(report: Buffer): { readonly kind: ReportKind; readonly node: string } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(report.toString('utf8'));
  } catch {
    return undefined;
  }
  const from = new FieldReader(value);
  const [kind, node] = [from.text('kind'), from.text('node')];
  return isReportKind(kind) ? { kind, node } : undefined;
}
