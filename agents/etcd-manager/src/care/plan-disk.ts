/** The cumulative buckets of a histogram: upper bound in seconds to count. */
export type Buckets = ReadonlyMap<number, number>;

/** etcd.io/docs, "Hardware recommendations" and "FAQ": the 99th percentile of a disk that is fast enough. */
const LIMITS = {
  etcd_disk_wal_fsync_duration_seconds: { seconds: 0.01, what: 'flush of the log' },
  etcd_disk_backend_commit_duration_seconds: { seconds: 0.025, what: 'commit to the database' },
} as const;

export type DiskHistograms = Readonly<Record<keyof typeof LIMITS, Buckets>>;

const NAMES = ['etcd_disk_wal_fsync_duration_seconds', 'etcd_disk_backend_commit_duration_seconds'] as const;

/** Fewer operations than this say nothing about the slowest hundredth. */
const ENOUGH = 100;

/** Warnings about a disk that was too slow for etcd between two looks; none if it was fast enough. */
export function planDisk(before: DiskHistograms, after: DiskHistograms): readonly string[] {
  return NAMES.flatMap((name) => {
    const { seconds, what } = LIMITS[name];
    const p99 = quantile(0.99, before[name], after[name]);
    if (p99 === undefined || p99 <= seconds) return [];
    const slow = p99 === Number.POSITIVE_INFINITY ? 'longer than etcd measures' : `up to ${Math.round(p99 * 1000)} ms`;
    return [`one ${what} in a hundred takes ${slow}, and etcd needs at most ${seconds * 1000} ms: use a faster volume`];
  });
}

/** The bound of the bucket that holds this share of the added operations; undefined if too few were added. */
function quantile(share: number, before: Buckets, after: Buckets): number | undefined {
  const added = (bound: number): number => (after.get(bound) ?? 0) - (before.get(bound) ?? 0);
  const total = added(Number.POSITIVE_INFINITY);
  if (total < ENOUGH) return undefined;
  return [...after.keys()].toSorted((left, right) => left - right).find((bound) => added(bound) >= share * total);
}

/** Reads the two histograms from Prometheus's text format. */
export function parseDiskHistograms(text: string): DiskHistograms {
  const read = (name: string): Buckets => {
    const lines = text.matchAll(new RegExp(`^${name}_bucket\\{le="([^"]+)"\\} (\\S+)$`, 'gm'));
    return new Map(
      Array.from(lines, ([, bound = '', count]) => [bound === '+Inf' ? Infinity : Number(bound), Number(count)]),
    );
  };
  const [fsync, commit] = NAMES;
  return { [fsync]: read(fsync), [commit]: read(commit) };
}
