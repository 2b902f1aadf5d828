/** How often a duration was at most so many seconds: a histogram's buckets, cumulative. */
export type Buckets = ReadonlyMap<number, number>;

/** etcd.io/docs, "Hardware recommendations" and "FAQ": what a disk that is fast enough stays below, 99 times of 100. */
const LIMITS = {
  etcd_disk_wal_fsync_duration_seconds: { seconds: 0.01, what: 'flushing the log' },
  etcd_disk_backend_commit_duration_seconds: { seconds: 0.025, what: 'committing to the database' },
} as const;

export type DiskHistograms = Readonly<Record<keyof typeof LIMITS, Buckets>>;

/** Fewer operations than these say nothing about the slowest hundredth. */
const ENOUGH = 100;

/** What is too slow about the disk, by what happened between two looks. */
export function planDisk(before: DiskHistograms, after: DiskHistograms): readonly string[] {
  return Object.entries(LIMITS).flatMap(([name, { seconds, what }]) => {
    const key = name as keyof DiskHistograms;
    const p99 = quantile(0.99, before[key], after[key]);
    if (p99 === undefined || p99 <= seconds) return [];
    const slow = p99 === Number.POSITIVE_INFINITY ? 'more than etcd measures' : `up to ${Math.round(p99 * 1000)} ms`;
    return [`${what} takes ${slow}, one time of a hundred; etcd wants at most ${seconds * 1000} ms: a faster volume`];
  });
}

/** The bound of the first bucket that holds this share of what was added; undefined where too little was. */
function quantile(share: number, before: Buckets, after: Buckets): number | undefined {
  const added = (bound: number): number => (after.get(bound) ?? 0) - (before.get(bound) ?? 0);
  const total = added(Number.POSITIVE_INFINITY);
  if (total < ENOUGH) return undefined;
  return [...after.keys()].toSorted((left, right) => left - right).find((bound) => added(bound) >= share * total);
}

/** Reads the two histograms out of Prometheus's text format. */
export function parseDiskHistograms(text: string): DiskHistograms {
  const read = (name: string): Buckets => {
    const lines = text.matchAll(new RegExp(`^${name}_bucket\\{le="([^"]+)"\\} (\\S+)$`, 'gm'));
    return new Map(
      Array.from(lines, ([, bound = '', count]) => [bound === '+Inf' ? Infinity : Number(bound), Number(count)]),
    );
  };
  return {
    etcd_disk_wal_fsync_duration_seconds: read('etcd_disk_wal_fsync_duration_seconds'),
    etcd_disk_backend_commit_duration_seconds: read('etcd_disk_backend_commit_duration_seconds'),
  };
}
