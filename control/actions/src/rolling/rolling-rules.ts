import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { defaultMaxSurge, defaultMaxUnavailable, DRAINS_AND_TERMINATES } from '@kopsctl/spec/rolling-defaults.ts';

/** How many machines of a group are replaced at once. */
export interface RollingRules {
  /** How many may be missing. */
  readonly maxUnavailable: number;
  /** How many more than wanted there may be. */
  readonly maxSurge: number;
  /** False: machines are only tainted and, with a surge, joined by others; people end them. */
  readonly drainAndTerminate: boolean;
}

export interface RuledGroup {
  readonly role: NodeRole;
  readonly instanceGroup: Pick<InstanceGroup, 'spec'> | undefined;
  readonly cluster: Pick<Cluster, 'spec'>;
  /** The number of the group's machines, those that stay included. */
  readonly size: number;
  /** The cloud can add machines to a group for a while. */
  readonly canSurge: boolean;
}

/**
 * The rules of a group: its own, else those of the cluster, else one machine more where the cloud can do that, and
 * otherwise one less. A share of maxSurge is rounded up, one of maxUnavailable down, and a share that is not zero is at
 * least one machine (kops pkg/instancegroups/settings.go). Control planes never get one more: each has volumes of its own.
 */
export function rollingRules({ role, instanceGroup, cluster, size, canSurge }: RuledGroup): RollingRules {
  const [own, all] = [instanceGroup?.spec.rollingUpdate, cluster.spec.rollingUpdate];
  const drainAndTerminate = own?.drainAndTerminate ?? all?.drainAndTerminate ?? DRAINS_AND_TERMINATES;
  const surge = own?.maxSurge ?? all?.maxSurge ?? defaultMaxSurge(canSurge);
  const maxSurge = role === 'ControlPlane' || !canSurge ? 0 : countOf(surge, size, Math.ceil);
  const unavailable = own?.maxUnavailable ?? all?.maxUnavailable ?? defaultMaxUnavailable(maxSurge);
  const maxUnavailable = countOf(unavailable, size, (share) => Math.max(1, Math.floor(share)));
  // Without one of them nothing would ever happen.
  return { maxSurge, maxUnavailable: maxSurge === 0 ? Math.max(1, maxUnavailable) : maxUnavailable, drainAndTerminate };
}

/** A number of machines: as it is written, or the share of `size` that a percentage such as `25%` stands for. */
export function countOf(value: number | string, size: number, round: (share: number) => number): number {
  const text = String(value).trim();
  const [, share] = /^(\d+(?:\.\d+)?)%$/.exec(text) ?? [];
  const number = Number(share ?? text);
  if (!Number.isFinite(number) || number <= 0) return 0;
  return share === undefined ? Math.floor(number) : round((number * size) / 100);
}
