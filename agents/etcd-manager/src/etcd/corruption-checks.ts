import { isAtLeast } from '../versions/at-least.ts';

type Environment = Readonly<Record<string, string>>;

/**
 * The hash at the latest revision is costly, because every member reads its whole database; that of a compaction is computed
 * in passing, once a minute at most.
 */
const LATEST_EVERY = '12h';

/** What an operator may have set themselves, by feature of etcd 3.6. etcd 3.6 refuses to start if both forms are there. */
const EXPERIMENTAL = {
  InitialCorruptCheck: 'ETCD_EXPERIMENTAL_INITIAL_CORRUPT_CHECK',
  CompactHashCheck: 'ETCD_EXPERIMENTAL_COMPACT_HASH_CHECK_ENABLED',
} as const;

/**
 * The settings by which etcd compares the data of its members; `asked` is what the spec sets, which takes precedence.
 *
 * - A member that has served compares its data with the others' before it serves (3.3 and newer), and exits if they differ.
 *   One that has not served, or that starts from a restored backup, has nothing to compare, and would only wait for others
 *   that start at the same moment: seven seconds for each. So this is not a lasting setting.
 * - While it runs, the leader compares hashes, and raises CORRUPT, which stops all writes. So it does that only
 *   where hashes of equal data are equal: before 3.4.34 and 3.5.16 a deletion at the compacted revision (etcd-io/etcd 18274),
 *   and before 3.5.10 a restart during a compaction (15919) made them differ.
 *
 * Up to 3.5 these are flags named experimental, from 3.6 on features (server/features/etcd_features.go), and 3.7 knows no
 * other form.
 */
export function corruptionChecks(
  version: string,
  asked: Environment,
  hasServed: boolean,
): { readonly lasting: Environment; readonly initial: Environment } {
  if (isAtLeast(version, '3.6.0')) {
    const features = hasServed
      ? (['CompactHashCheck', 'InitialCorruptCheck'] as const)
      : (['CompactHashCheck'] as const);
    const own = features.filter((feature) => !(EXPERIMENTAL[feature] in asked));
    const gates = [...own.map((feature) => `${feature}=true`), asked['ETCD_FEATURE_GATES'] ?? ''].filter(Boolean);
    return {
      lasting: 'ETCD_EXPERIMENTAL_CORRUPT_CHECK_TIME' in asked ? {} : { ETCD_CORRUPT_CHECK_TIME: LATEST_EVERY },
      // The last one of a name counts, so an operator can turn each off.
      initial: gates.length === 0 ? {} : { ETCD_FEATURE_GATES: gates.join(',') },
    };
  }
  const initial = { ETCD_EXPERIMENTAL_INITIAL_CORRUPT_CHECK: 'true' };
  return {
    lasting: periodic(version),
    initial: hasServed && !(EXPERIMENTAL.InitialCorruptCheck in asked) ? initial : {},
  };
}

function periodic(version: string): Environment {
  if (!hasReliableHashes(version)) return {};
  const latest = { ETCD_EXPERIMENTAL_CORRUPT_CHECK_TIME: LATEST_EVERY };
  if (!isAtLeast(version, '3.5.16')) return latest;
  return { ...latest, ETCD_EXPERIMENTAL_COMPACT_HASH_CHECK_ENABLED: 'true' };
}

/** Whether hashes of equal data are equal. Before, a deletion at the compacted revision made them differ (see above). */
export function hasReliableHashes(version: string): boolean {
  return isAtLeast(version, '3.5.16') || (isAtLeast(version, '3.4.34') && !isAtLeast(version, '3.5.0'));
}
