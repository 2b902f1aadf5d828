/** What `kopsctl toolbox enroll` puts on a machine. */
export const HOST_FILES = {
  /** The identity of the machine: its facts, as JSON. */
  facts: '/etc/kops/host.json',
  /** The private half of the key of its first proof, PEM; root alone may read it. */
  firstKey: '/etc/kops/first.key',
  /** What other clouds give a machine as user-data. */
  script: '/etc/kops/bootstrap.sh',
} as const;
