import type { MemberStatus } from '@kopsctl/state-store/etcd/member-status.ts';
import { STATUS_MS } from '../membership/observe-membership.ts';

/** Several statuses in a row were not published: the store refuses them, or the volume hangs. */
const STALE_MS = 4 * STATUS_MS;

/** What this machine knows about its part of one etcd cluster. Times are by the monotonic clock. */
export interface ClusterHealth {
  /** The latest status of its member; undefined while its volume is not there. */
  readonly status: MemberStatus | undefined;
  /** When the store last accepted a status; undefined before the first since the volume is there. */
  readonly publishedMs: number | undefined;
  /** By loop, why it was started again. */
  readonly failures: ReadonlyMap<string, string>;
}

/** What is wrong, one line each. */
export function clusterFaults({ status, publishedMs, failures }: ClusterHealth, nowMs: number): readonly string[] {
  const ofMember = status === undefined ? ['no volume with its member was found'] : faultsOf(status);
  const ofStore = status === undefined ? [] : faultsOfPublishing(publishedMs, nowMs);
  return [...ofMember, ...ofStore, ...[...failures].map(([part, failure]) => `${part}: ${failure}`)];
}

function faultsOf({ problem, etcd, decision }: MemberStatus): readonly string[] {
  if (problem !== undefined) return [problem];
  return etcd?.leaderId === undefined ? [decision] : etcd.alarms;
}

function faultsOfPublishing(publishedMs: number | undefined, nowMs: number): readonly string[] {
  if (publishedMs === undefined) return ['the store has no status of this machine yet'];
  const ageMs = nowMs - publishedMs;
  return ageMs > STALE_MS ? [`the last status in the store is ${Math.round(ageMs / 1000)} s old`] : [];
}
