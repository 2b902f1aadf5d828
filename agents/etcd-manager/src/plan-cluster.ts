import { canMigrateEtcd2 } from '@kopsctl/state-store/etcd/check-restore.ts';
import type { Marker } from './store/layout.ts';

/** An etcd member as the cluster lists it. A member that has never started has no name yet. */
export interface ListedMember {
  readonly id: string;
  readonly name: string;
  readonly peerUrl: string;
  readonly isLearner: boolean;
}

/** The marker is not in the store, or what is there under that version is torn. */
export interface MarkerFault {
  readonly tornVersion?: string;
}

/** Everything the decision depends on, read anew before each one. */
export interface ObservedCluster {
  /** What protokube wrote on the mounted volume; absent until it is mounted. */
  readonly volume?: { readonly member: string; readonly members: readonly string[] };
  /** The marker in the store, as it is or once was. */
  readonly marker?: Marker;
  readonly markerFault?: MarkerFault;
  /** Members have served a cluster, by the store; looked at where there is no marker and no data here. */
  readonly hasHistory?: boolean;
  /** Tokens of the data that lies on the volume. */
  readonly tokensOnDisk: readonly string[];
  /** Those of them whose data is of etcd 2. */
  readonly etcd2Tokens: readonly string[];
  /** This member has served before. */
  readonly hasServed: boolean;
  /** This member's own name leads somewhere: etcd ends at once when it does not. */
  readonly ownNameIsKnown: boolean;
  readonly unit: 'absent' | 'outdated' | 'stopped' | 'running';
  /** What the local etcd says; absent while it does not answer. */
  readonly etcd?: { readonly hasLeader: boolean };
  /** What the other members say, asked only when it matters: this one has no data, or is not well for a while. */
  readonly others?: {
    readonly healthy: number;
    readonly hasLeader: boolean;
    readonly members: readonly ListedMember[];
  };
}

export interface WantedCluster {
  readonly name: string;
  /** By the spec. */
  readonly etcdVersion: string;
  /** This member's name within etcd and the URL at which its peers reach it. */
  readonly ownName: (member: string) => string;
  readonly peerUrl: (member: string) => string;
}

export type ClusterStep =
  | { readonly action: 'wait' | 'nothing'; readonly summary: string }
  /** What lies here is left alone until a restore has made data of etcd 3 of it, which takes more than this machine. */
  | { readonly action: 'hold'; readonly summary: string }
  | { readonly action: 'refuse'; readonly summary: string; readonly next: string }
  | {
      readonly action: 'create-marker';
      readonly members: readonly string[];
      readonly token?: string;
      /** The version of a torn marker that it takes the place of. */
      readonly replaces?: string;
      readonly summary: string;
    }
  | {
      readonly action: 'start';
      readonly token: string;
      readonly initialState: 'new' | 'existing';
      /** name=url of every member, comma separated. */
      readonly initialCluster: string;
      readonly summary: string;
    }
  | { readonly action: 'set-data-aside'; readonly token: string; readonly summary: string }
  | { readonly action: 'record-served'; readonly token: string; readonly summary: string };

/**
 * Decides the single next step of this machine's own member. Who belongs to the cluster is the leader's business
 * (plan-membership.ts); a member forms the first cluster, starts, and follows what the cluster says of it.
 *
 * Invariants: only the one whose conditional write of the marker succeeded has formed the cluster; every first member
 * starts with the marker's token, so that all of them form the same one; a member that has served and finds no data
 * never starts as if it were new (it could vote twice), it waits until the cluster has taken it out and added it again;
 * data of etcd 2 is neither started nor set aside: etcd 3 would serve it without a single key.
 */
export function planCluster(wanted: WantedCluster, observed: ObservedCluster): ClusterStep {
  const { volume, marker, others } = observed;
  if (volume === undefined) return { action: 'wait', summary: 'wait for the volume to be mounted' };
  if (marker === undefined) return planMarker(volume.members, observed);
  const token = marker.token ?? onlyOne(observed.tokensOnDisk);
  if (token === undefined) {
    return {
      action: 'refuse',
      summary: `the store says that the cluster exists, but not its token, and the volume holds ${count(observed.tokensOnDisk)}`,
      next: 'attach a volume of that cluster, or restore a backup',
    };
  }
  const ownName = wanted.ownName(volume.member);
  if (observed.etcd2Tokens.includes(token)) return planEtcd2(wanted, token, others?.hasLeader === true);
  const hasData = observed.tokensOnDisk.includes(token);
  const isListed = others?.members.some(({ peerUrl }) => peerUrl === wanted.peerUrl(volume.member)) ?? false;
  if (others?.hasLeader === true && !isListed && (hasData || observed.unit === 'running')) {
    const summary = `set the data of ${ownName} aside: the cluster has taken it out and goes on without it`;
    return { action: 'set-data-aside', token, summary };
  }
  if (observed.unit === 'running') return planRunning(observed, marker, token, volume.member);
  if (!observed.ownNameIsKnown) return { action: 'wait', summary: `wait for the name of ${ownName} to be known` };
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
  const isFirst = members.includes(volume.member);
  // The first members are listed from the beginning, also one that has yet to start for the first time.
  const isAwaited = isFirst && !observed.hasServed && (isListed || others?.hasLeader !== true);
  const [foreign] = observed.etcd2Tokens;
  if (isAwaited && foreign !== undefined) return refuseBesideEtcd2(token, foreign);
  if (isAwaited) return start('new', firstMembers, 'it is one of the first members');
  if (others?.hasLeader === true) return planJoin(wanted, volume.member, others.members, start);
  return planWithoutOthers(ownName, isFirst, members.length, others);
}

/** The others begin the takeover together with this machine (takeover/plan-takeover.ts). */
function planEtcd2({ etcdVersion }: WantedCluster, token: string, othersLead: boolean): ClusterStep {
  const what = `data/${token} on the volume is of etcd 2`;
  if (othersLead) {
    return {
      action: 'refuse',
      summary: `${what} (a log without a database), and the other members serve etcd 3 without it: it is left as it is`,
      next: `move data/${token} to a safe place outside of data/; the member then joins the others`,
    };
  }
  if (!canMigrateEtcd2(etcdVersion)) {
    return {
      action: 'refuse',
      summary: `${what}, and etcd ${etcdVersion} cannot take it over: it is left as it is`,
      next: 'set spec.etcdClusters[].version to 3.4 and apply: only 3.3 and 3.4 can; go up from there afterwards',
    };
  }
  return { action: 'hold', summary: `${what}: wait until it is taken over by backup and restore` };
}

function refuseBesideEtcd2(token: string, foreign: string): ClusterStep {
  return {
    action: 'refuse',
    summary: `the store's marker names the cluster ${token}, and the volume holds data of etcd 2 of another, ${foreign}`,
    next: `where ${foreign} is the one that is wanted, remove control/etcd-cluster-created of this etcd cluster from the store; else move data/${foreign} to a safe place outside of data/`,
  };
}

function planMarker(members: readonly string[], observed: ObservedCluster): ClusterStep {
  const { tokensOnDisk, markerFault, hasHistory = false } = observed;
  const [token, ...more] = tokensOnDisk;
  const isTorn = markerFault?.tornVersion !== undefined;
  if (token === undefined && (hasHistory || isTorn)) {
    return {
      action: 'refuse',
      summary: `${isTorn ? 'the marker in the store is torn' : 'the store has lost its marker'}, there was a cluster, and the volume holds no data of it`,
      next: 'start a machine whose volume holds the data (it writes the marker again); to begin anew, remove control/members/ of this etcd cluster from the store',
    };
  }
  if (token === undefined) {
    return {
      action: 'create-marker',
      members,
      summary: `form the cluster of ${members.join(', ')}: there is none yet`,
    };
  }
  if (more.length > 0) {
    return {
      action: 'refuse',
      summary: `the store has lost its marker and the volume holds ${count(tokensOnDisk)}: ${tokensOnDisk.join(', ')}`,
      next: 'move the data that is not wanted out of data/ on the volume',
    };
  }
  return {
    action: 'create-marker',
    members,
    token,
    ...replacing(markerFault),
    summary: `write the marker again: the volume holds the cluster ${token}`,
  };
}

function replacing(fault: MarkerFault | undefined): { readonly replaces?: string } {
  return fault?.tornVersion === undefined ? {} : { replaces: fault.tornVersion };
}

function planRunning(observed: ObservedCluster, marker: Marker, token: string, member: string): ClusterStep {
  if (observed.etcd === undefined) return { action: 'wait', summary: 'wait for etcd to answer' };
  if (!observed.etcd.hasLeader)
    return { action: 'wait', summary: 'wait for a leader: not enough members have started' };
  if (!observed.hasServed) return { action: 'record-served', token, summary: `record that ${member} serves` };
  if (observed.markerFault !== undefined) {
    const summary = `write the marker again: it was lost, and ${member} serves the cluster ${token}`;
    return { action: 'create-marker', members: marker.members, token, ...replacing(observed.markerFault), summary };
  }
  return { action: 'nothing', summary: 'serving' };
}

/** There is no data here, and there is a cluster: it is joined once the cluster has added this member. */
function planJoin(
  wanted: WantedCluster,
  member: string,
  listed: readonly ListedMember[],
  start: (state: 'existing', initialCluster: string, why: string) => ClusterStep,
): ClusterStep {
  const ownName = wanted.ownName(member);
  const ownUrl = wanted.peerUrl(member);
  const own = listed.find(({ peerUrl }) => peerUrl === ownUrl);
  if (own === undefined) return { action: 'wait', summary: `wait for the leader to add ${ownName} to the cluster` };
  if (own.name !== '') {
    const summary = `wait for the leader to replace ${own.name} (${own.id}): it has served before and its data is gone`;
    return { action: 'wait', summary };
  }
  const rest = listed.filter(({ id }) => id !== own.id).map(({ name, peerUrl }) => `${name}=${peerUrl}`);
  const initialCluster = [...rest, `${ownName}=${ownUrl}`].join(',');
  return start('existing', initialCluster, 'it was added to the cluster and fetches its data');
}

function planWithoutOthers(
  ownName: string,
  isFirst: boolean,
  members: number,
  others: ObservedCluster['others'],
): ClusterStep {
  const state = isFirst ? `${ownName} has served before and its data is gone` : `${ownName} is no member yet`;
  if (isFirst && members === 1) {
    return {
      action: 'refuse',
      summary: `${state}; no other member has it`,
      next: 'attach the volume that holds it, or restore a backup',
    };
  }
  const healthy = others?.healthy ?? 0;
  return { action: 'wait', summary: `${state}; it joins once the other members have a leader (${healthy} answer)` };
}

function onlyOne(tokens: readonly string[]): string | undefined {
  return tokens.length === 1 ? tokens[0] : undefined;
}

function count(tokens: readonly string[]): string {
  return tokens.length === 0 ? 'no data' : `the data of ${tokens.length} clusters`;
}
