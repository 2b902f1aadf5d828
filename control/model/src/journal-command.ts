/** The units whose journal tells how a machine became a node, and what runs on it. */
const JOURNAL_UNITS = [
  'cloud-final',
  'nodeup',
  'protokube',
  'etcd-manager',
  'etcd-*',
  'node-authority',
  'containerd',
  'kubelet',
] as const;

/** How much of it is read: the beginning is useless if the machine has been up for long. */
const LINES = 5000;

/** The command that prints their journal. */
export const JOURNAL_COMMAND: readonly string[] = [
  'journalctl',
  '--no-pager',
  // Programs write UTC into their lines.
  '--utc',
  '-n',
  String(LINES),
  ...JOURNAL_UNITS.flatMap((unit) => ['-u', unit]),
];
