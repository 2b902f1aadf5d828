import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { readStatuses } from '@kopsctl/state-store/etcd/member-status.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { Etcds } from '../etcd/etcds.ts';
import { memberHost } from '../etcd/settings.ts';
import { memberOf } from '../membership/member-of.ts';
import type { VersionedMember } from './plan-upgrade.ts';
import type { StoredVersions } from './version-record.ts';

/** What the members are asked through. */
export interface VersionsEnv {
  /** The address of the local etcd, which lists the members. */
  readonly address: string;
  readonly store: StateStore;
  readonly etcds: Pick<Etcds, 'askIfThere'>;
}

/** Asks each etcd itself, because a status in the store may be older than a restart. */
export async function observeVersions(
  config: EtcdClusterConfig,
  { versions }: Pick<StoredVersions, 'versions'>,
  { address, store, etcds }: VersionsEnv,
  signal: AbortSignal,
): Promise<readonly VersionedMember[]> {
  const [statuses, listed] = await Promise.all([
    readStatuses(store, config.backupPath, signal),
    etcds.askIfThere(address, config, (etcd) => etcd.members(signal), signal),
  ]);
  const names = listed?.map((one) => memberOf(config, one));
  // The last status of a machine that is gone stays in the store.
  const isMember = (member: string): boolean => names?.includes(member) ?? true;
  const holders = statuses.filter(({ member, hasData }) => hasData !== false && isMember(member));
  const observed = await Promise.all(
    holders.map(async ({ member, dataVersion, available = [] }): Promise<VersionedMember> => {
      const host = memberHost(config, member);
      const status = await etcds.askIfThere(host, config, (etcd) => etcd.status(signal), signal);
      // Data that nobody has recorded, and that no etcd serves, names its version itself.
      const recorded = versions[member] ?? (status === undefined ? dataVersion : undefined);
      const isSettled = recorded === undefined || recorded === status?.version || !available.includes(recorded);
      return {
        member,
        ...(recorded !== undefined && { recorded }),
        ...(status !== undefined && { running: status.version }),
        isWell: status?.leaderId !== undefined && isSettled,
        isLeader: status?.leaderId !== undefined && status.leaderId === status.memberId,
        available,
      };
    }),
  );
  // A vote counts whether or not a machine has reported data for it: without it, the next restart may take the quorum.
  const silent = (listed ?? [])
    .filter(({ isLearner }) => !isLearner)
    .map((one) => memberOf(config, one))
    .filter((voter) => !holders.some(({ member }) => member === voter));
  return [...observed, ...silent.map((member) => ({ member, isWell: false, isLeader: false, available: [] }))];
}
