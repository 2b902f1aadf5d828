import { canMigrateEtcd2 } from '@kopsctl/state-store/etcd/check-restore.ts';
import type { Marker } from './store/layout.ts';

/** An etcd member as the cluster lists it. */
export interface ListedMember {
  readonly id: string;
  /** Empty until the member has started for the first time. */
  readonly name: string;
  readonly peerUrl: string;
  readonly isLearner: boolean;
}

/** The marker is missing from the store, is damaged there, or does not name the cluster's token. */
export interface MarkerFault {
  /** The version of the marker that is to be replaced; absent if there is none. */
  readonly tornVersion?: string | undefined;
  /** It is whole, but names a cluster in which nobody has started, while members have started in another. */
  readonly isStale?: true;
  /** It is whole, but kops wrote it, which knows no token. */
  readonly isOfKops?: true;
}

/** Everything that the decision depends on, observed again before each decision. */
export interface ObservedCluster {
  /** What protokube wrote on the volume; absent until the volume is mounted. */
  readonly volume?: { readonly member: string; readonly members: readonly string[] };
  /** The marker in the store, as it is now or was when it was last valid. */
  readonly marker?: Marker;
  readonly markerFault?: MarkerFault;
  /** By the store, members have served a cluster before. Observed only if there is neither a marker nor local data. */
  readonly hasHistory?: boolean;
  /** The cluster tokens of the data on the volume. */
  readonly tokensOnDisk: readonly string[];
  /** What restores have done, by their record. Observed only if there is data, but no marker. */
  readonly restored?: {
    /** The cluster of the last restore that counts: whatever was there before does not. */
    readonly inForce?: string;
    /** The cluster of a restore that does not count, or not yet. */
    readonly prepared?: string;
  };
  /** Those of them whose data was written by etcd 2. */
  readonly etcd2Tokens: readonly string[];
  /** This member has served before, with data that is not on this volume unless `tokensOnDisk` has it. */
  readonly hasServed: boolean;
  /** The first start of this member is recorded, and was begun on this very volume. */
  readonly hasBegun: boolean;
  /** The first members of the cluster on the volume, as the record of this member's first start has them. */
  readonly founders?: readonly string[];
  /** This member's own DNS name resolves. etcd exits at once if it does not. */
  readonly ownNameIsKnown: boolean;
  readonly unit: 'absent' | 'outdated' | 'stopped' | 'running';
  /** What the local etcd answers; absent while it does not answer. */
  readonly etcd?: { readonly hasLeader: boolean };
  /** What the other members answer. Asked only if this member has no data or has not been healthy for a while. */
  readonly others?: {
    readonly healthy: number;
    readonly hasLeader: boolean;
    readonly members: readonly ListedMember[];
  };
}

export interface WantedCluster {
  readonly name: string;
  /** The version in the cluster spec. */
  readonly etcdVersion: string;
  /** A member's name within etcd, and the URL at which its peers reach it. */
  readonly ownName: (member: string) => string;
  readonly peerUrl: (member: string) => string;
}

export type ClusterStep =
  | { readonly action: 'wait' | 'nothing'; readonly summary: string }
  /** Leave the data alone until a restore, which needs the other machines too, has converted it to etcd 3. */
  | { readonly action: 'hold'; readonly summary: string }
  | { readonly action: 'refuse'; readonly summary: string; readonly next: string }
  | {
      readonly action: 'create-marker';
      readonly members: readonly string[];
      readonly token?: string;
      /** The version of the damaged marker that it replaces. */
      readonly replaces?: string;
      readonly summary: string;
    }
  | {
      readonly action: 'start';
      readonly token: string;
      readonly initialState: 'new' | 'existing';
      /** `name=url` of every member, separated by commas. */
      readonly initialCluster: string;
      readonly summary: string;
    }
  | {
      /** Record, on the volume and then in the store, that this member starts for the first time on this volume. */
      readonly action: 'begin';
      readonly token: string;
      readonly founders: readonly string[];
      readonly summary: string;
    }
  | { readonly action: 'set-data-aside'; readonly token: string; readonly summary: string }
  | { readonly action: 'record-served'; readonly token: string; readonly summary: string };

/**
 * Decides the next step of this machine's own member. The member forms the first cluster, starts, and follows what the
 * cluster says about it. The leader decides who belongs to the cluster (plan-membership.ts).
 *
 * Invariants:
 * - Only the machine whose conditional write of the marker succeeded has formed the cluster. Every first member starts
 *   with the token in the marker, so all of them form the same cluster.
 * - Only a first member that the marker names ever starts as a new one. A marker that was written again names those that
 *   the record of a first start names, or none: the volume names all wanted members, and the cluster may have grown since.
 * - A member whose first start is recorded and that has lost its data never starts as a new one, because it could vote
 *   twice. It waits until the cluster has removed it and added it again. So the record is written before the first start.
 * - Data of etcd 2 is neither started nor set aside: etcd 3 would serve it without a single key.
 */
export function planCluster(wanted: WantedCluster, observed: ObservedCluster): ClusterStep {
  const { volume, marker, others } = observed;
  if (volume === undefined) return { action: 'wait', summary: 'wait for the volume to be mounted' };
  if (marker === undefined) return planMarker(volume.members, observed);
  const token = marker.token ?? onlyOne(observed.tokensOnDisk);
  if (token === undefined && others?.hasLeader === true && observed.tokensOnDisk.length === 0) {
    const summary = 'wait for a serving member to write the token of the cluster into the marker, which kops wrote';
    return { action: 'wait', summary };
  }
  if (token === undefined) {
    return {
      action: 'refuse',
      summary: `the marker in the store does not name the cluster's token, and the volume holds ${count(observed.tokensOnDisk)}`,
      next: 'attach a volume that holds data of the cluster, or restore a backup',
    };
  }
  const ownName = wanted.ownName(volume.member);
  if (observed.etcd2Tokens.includes(token)) return planEtcd2(wanted, token, others?.hasLeader === true);
  const hasData = observed.tokensOnDisk.includes(token);
  const isListed = others?.members.some(({ peerUrl }) => peerUrl === wanted.peerUrl(volume.member)) ?? false;
  if (others?.hasLeader === true && !isListed && (hasData || observed.unit === 'running')) {
    const summary = `set the data of ${ownName} aside: the cluster has removed this member`;
    return { action: 'set-data-aside', token, summary };
  }
  if (observed.unit === 'running') return planRunning(observed, marker, token, volume.member);
  if (!observed.ownNameIsKnown) return { action: 'wait', summary: `wait for the DNS name of ${ownName} to resolve` };
  // etcd reads the first members only while it has no data, but never starts without them.
  const members = marker.members.length > 0 ? marker.members : volume.members;
  const start = (initialState: 'new' | 'existing', initialCluster: string, why: string): ClusterStep => ({
    action: 'start',
    token,
    initialState,
    initialCluster,
    summary: `start ${ownName}: ${why}`,
  });
  const firstMembers = members.map((member) => `${wanted.ownName(member)}=${wanted.peerUrl(member)}`).join(',');
  if (hasData) {
    const why = {
      outdated: 'its settings have changed',
      stopped: 'it was stopped',
      absent: 'its data is on the volume',
    }[observed.unit];
    return start('new', firstMembers, why);
  }
  const isFirst = marker.members.includes(volume.member);
  // The cluster lists all first members from the beginning, including members that have not started yet. A marker that names
  // none is that of a cluster which kops formed, or was written again by a member that did not know them: nobody starts as new.
  const isAwaited = isFirst && !observed.hasServed && (isListed || others?.hasLeader !== true);
  // A member that has a part in two clusters could give each of them a majority.
  const [foreign] = observed.tokensOnDisk;
  if (isAwaited && foreign !== undefined) return refuseBeside(token, foreign);
  if (isAwaited && !observed.hasBegun) {
    const summary = `record that ${ownName} starts for the first time: from then on an empty volume means lost data`;
    return { action: 'begin', token, founders: marker.members, summary };
  }
  if (isAwaited) return start('new', firstMembers, 'it is one of the first members');
  if (others?.hasLeader === true)
    return planJoin({ wanted, member: volume.member, token, hasServed: observed.hasServed }, others.members, start);
  return planWithoutOthers(ownName, isFirst || observed.hasServed, members.length, others);
}

/** The takeover itself is begun by the leader (takeover/plan-takeover.ts). */
function planEtcd2({ etcdVersion }: WantedCluster, token: string, othersLead: boolean): ClusterStep {
  const what = `data/${token} on the volume was written by etcd 2`;
  if (othersLead) {
    return {
      action: 'refuse',
      summary: `${what} (it has a log but no database), and the other members already serve etcd 3 without it`,
      next: `move data/${token} to a safe place outside data/; this member then joins the others`,
    };
  }
  if (!canMigrateEtcd2(etcdVersion)) {
    return {
      action: 'refuse',
      summary: `${what}, which etcd ${etcdVersion} cannot convert`,
      next: 'set spec.etcdClusters[].version to 3.4 (only 3.3 and 3.4 can convert it) and apply; upgrade from there',
    };
  }
  return { action: 'hold', summary: `${what}: wait until a backup and a restore have converted it` };
}

function refuseBeside(token: string, foreign: string): ClusterStep {
  return {
    action: 'refuse',
    summary: `the marker in the store names the cluster ${token}, but the volume holds data of the cluster ${foreign}`,
    next: `to keep ${foreign}, remove control/etcd-cluster-created of this etcd cluster from the store; to keep ${token}, move data/${foreign} to a safe place outside data/`,
  };
}

function planMarker(members: readonly string[], observed: ObservedCluster): ClusterStep {
  const { tokensOnDisk, markerFault, hasHistory = false, founders = [] } = observed;
  const [token, ...more] = countingTokens(observed);
  const isTorn = markerFault?.tornVersion !== undefined;
  if (token === undefined && (hasHistory || isTorn)) {
    return {
      action: 'refuse',
      summary: `the marker in the store ${stateOf(markerFault)}, and the volume holds no data of the cluster that existed before`,
      next: 'start a machine whose volume holds the data: it writes the marker again; to form a new, empty cluster instead, remove control/members/ and control/status/ of this etcd cluster from the store',
    };
  }
  if (token === undefined) {
    return {
      action: 'create-marker',
      members,
      summary: `form a cluster of ${members.join(', ')}: there is none yet`,
    };
  }
  if (more.length > 0) {
    return {
      action: 'refuse',
      summary: `the marker in the store ${stateOf(markerFault)}, and the volume holds ${count(tokensOnDisk)}: ${tokensOnDisk.join(', ')}`,
      next: 'move the data that you do not want to keep out of data/ on the volume',
    };
  }
  return {
    action: 'create-marker',
    members: founders,
    token,
    ...replacing(markerFault),
    summary: `write the marker again: the volume holds the cluster ${token}`,
  };
}

/** The data on the volume without that of clusters that a restore has replaced, or that a restore has only prepared. */
export function countingTokens({
  tokensOnDisk,
  restored: { inForce, prepared } = {},
}: Pick<ObservedCluster, 'tokensOnDisk' | 'restored'>): readonly string[] {
  return tokensOnDisk.filter((token) => (inForce === undefined ? token !== prepared : token === inForce));
}

function stateOf(fault: MarkerFault | undefined): string {
  if (fault?.isStale === true) return 'names a cluster in which no member has started';
  return fault?.tornVersion === undefined ? 'is gone' : 'is damaged';
}

function replacing(fault: MarkerFault | undefined): { readonly replaces?: string } {
  return fault?.tornVersion === undefined ? {} : { replaces: fault.tornVersion };
}

function planRunning(observed: ObservedCluster, marker: Marker, token: string, member: string): ClusterStep {
  if (observed.etcd === undefined) return { action: 'wait', summary: 'wait for etcd to answer' };
  if (!observed.etcd.hasLeader) return { action: 'wait', summary: 'wait for a leader: too few members have started' };
  if (!observed.hasServed && !observed.hasBegun)
    return { action: 'record-served', token, summary: `record that ${member} has served` };
  if (observed.markerFault !== undefined) {
    const summary =
      observed.markerFault.isOfKops === true
        ? `write the token ${token} into the marker, which kops wrote: a member without data needs it`
        : `write the marker again: it is lost, and ${member} serves the cluster ${token}`;
    return { action: 'create-marker', members: marker.members, token, ...replacing(observed.markerFault), summary };
  }
  return { action: 'nothing', summary: 'serving' };
}

/** The member has no data and the cluster exists: it joins once the cluster has added it. */
function planJoin(
  {
    wanted,
    member,
    token,
    hasServed,
  }: { readonly wanted: WantedCluster; readonly member: string; readonly token: string; readonly hasServed: boolean },
  listed: readonly ListedMember[],
  start: (state: 'existing', initialCluster: string, why: string) => ClusterStep,
): ClusterStep {
  const ownName = wanted.ownName(member);
  const ownUrl = wanted.peerUrl(member);
  const own = listed.find(({ peerUrl }) => peerUrl === ownUrl);
  if (own === undefined) return { action: 'wait', summary: `wait for the leader to add ${ownName} to the cluster` };
  if (own.name !== '' && !hasServed) {
    // Its volume was lost before it could record that itself, and without the record the leader would wait for it.
    return { action: 'record-served', token, summary: `record that ${member} has served: the cluster knows its name` };
  }
  if (own.name !== '') {
    const summary = `wait for the leader to replace ${own.name} (${own.id}): it has served before, and its data is gone`;
    return { action: 'wait', summary };
  }
  const rest = listed.filter(({ id }) => id !== own.id).map(({ name, peerUrl }) => `${name}=${peerUrl}`);
  const initialCluster = [...rest, `${ownName}=${ownUrl}`].join(',');
  return start('existing', initialCluster, 'the cluster has added it, and sends it the data');
}

function planWithoutOthers(
  ownName: string,
  isFirst: boolean,
  members: number,
  others: ObservedCluster['others'],
): ClusterStep {
  const state = isFirst ? `${ownName} has served before, and its data is gone` : `${ownName} is not a member yet`;
  if (isFirst && members === 1) {
    return {
      action: 'refuse',
      summary: `${state}; there is no other member to fetch it from`,
      next: 'attach the volume that holds the data, or restore a backup',
    };
  }
  const healthy = others?.healthy ?? 0;
  return {
    action: 'wait',
    summary: `${state}; it joins once the other members have a leader (members that answer: ${healthy})`,
  };
}

function onlyOne(tokens: readonly string[]): string | undefined {
  return tokens.length === 1 ? tokens[0] : undefined;
}

function count(tokens: readonly string[]): string {
  return tokens.length === 0 ? 'no data' : `the data of ${tokens.length} clusters`;
}
