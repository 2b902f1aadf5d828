const KINDS = ['BootReport', 'MachineReport'] as const;

/** What a machine may have kept about itself: how it booted, and why it does not work. */
export type ReportKind = (typeof KINDS)[number];

export const isReportKind = (kind: string): kind is ReportKind => KINDS.some((one) => one === kind);
