import type { Marker } from './store/layout.ts';

/** An etcd member as the cluster lists it. A member that has never started has no name yet. */
export interface ListedMember {
  readonly id: string;
  readonly name: string;
  readonly peerUrl: string;
}

/** Everything the decision depends on, read anew before each one. */
export interface ObservedCluster {
  /** What protokube wrote on the mounted volume; absent until it is mounted. */
  readonly volume?: { readonly member: string; readonly members: readonly string[] };
  /** The marker in the store; absent: no etcd cluster was ever formed. */
  readonly marker?: Marker;
  /** Tokens of the data that lies on the volume. */
  readonly tokensOnDisk: readonly string[];
  /** This member has served before. */
  readonly hasServed: boolean;
  /** This member's own name leads somewhere: etcd ends at once when it does not. */
  readonly ownNameIsKnown: boolean;
  readonly unit: 'absent' | 'outdated' | 'stopped' | 'running';
  /** What the local etcd says; absent while it does not answer. */
  readonly etcd?: { readonly hasLeader: boolean };
  /** What the other members say, asked only when this one has lost its data. */
  readonly others?: {
    readonly healthy: number;
    readonly hasLeader: boolean;
    readonly members: readonly ListedMember[];
  };
}

export interface WantedCluster {
  readonly name: string;
  /** This member's name within etcd and the URL at which its peers reach it. */
  readonly ownName: (member: string) => string;
  readonly peerUrl: (member: string) => string;
}

export type ClusterStep =
  | { readonly action: 'wait' | 'nothing'; readonly summary: string }
  | { readonly action: 'refuse'; readonly summary: string; readonly next: string }
  | {
      readonly action: 'create-marker';
      readonly members: readonly string[];
      readonly token?: string;
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
  | { readonly action: 'record-served'; readonly token: string; readonly summary: string }
  | { readonly action: 'remove-member'; readonly id: string; readonly summary: string }
  | { readonly action: 'add-member'; readonly peerUrl: string; readonly summary: string };

/**
 * Decides the single next step of this machine's member.
 *
 * Invariants: only the one whose conditional write of the marker succeeded has formed the cluster; every first member
 * starts with the marker's token, so that all of them form the same one; a member that has served and finds no data
 * never starts as if it were new (it could vote twice), it is taken out of the cluster and added again, and that only
 * while every other member is healthy.
 */
export function planCluster(wanted: WantedCluster, observed: ObservedCluster): ClusterStep {
  const { volume, marker } = observed;
  if (volume === undefined) return { action: 'wait', summary: 'wait for the volume to be mounted' };
  if (marker === undefined) return planMarker(volume.members, observed.tokensOnDisk);
  const token = marker.token ?? onlyOne(observed.tokensOnDisk);
  if (token === undefined) {
    return {
      action: 'refuse',
      summary: `the store says that the cluster exists, but not its token, and the volume holds ${count(observed.tokensOnDisk)}`,
      next: 'attach a volume of that cluster, or restore a backup',
    };
  }
  const members = marker.members.length > 0 ? marker.members : volume.members;
  if (!members.includes(volume.member) && !observed.tokensOnDisk.includes(token)) {
    return {
      action: 'refuse',
      summary: `member ${volume.member} is not among the members the cluster was formed with (${members.join(', ')})`,
      next: 'growing an existing etcd cluster is not done yet; take the member out of spec.etcdClusters',
    };
  }
  if (observed.unit === 'running') return planRunning(observed, token, volume.member);
  if (!observed.ownNameIsKnown)
    return { action: 'wait', summary: `wait for the name of ${wanted.ownName(volume.member)} to be known` };
  const url = (member: string): string => `${wanted.ownName(member)}=${wanted.peerUrl(member)}`;
  const start = (initialState: 'new' | 'existing', initialCluster: string, why: string): ClusterStep => ({
    action: 'start',
    token,
    initialState,
    initialCluster,
    summary: `start ${wanted.ownName(volume.member)}: ${why}`,
  });
  if (observed.tokensOnDisk.includes(token)) {
    const why = {
      outdated: 'its settings have changed',
      stopped: 'it was stopped',
      absent: 'its data is on the volume',
    }[observed.unit];
    return start('new', members.map(url).join(','), why);
  }
  if (!observed.hasServed) return start('new', members.map(url).join(','), 'it is one of the first members');
  return planRejoin(wanted, volume.member, members, observed, start);
}

function planMarker(members: readonly string[], tokensOnDisk: readonly string[]): ClusterStep {
  const [token, ...more] = tokensOnDisk;
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
    summary: `write the marker again: the volume holds the cluster ${token}`,
  };
}

function planRunning(observed: ObservedCluster, token: string, member: string): ClusterStep {
  if (observed.etcd === undefined) return { action: 'wait', summary: 'wait for etcd to answer' };
  if (!observed.etcd.hasLeader)
    return { action: 'wait', summary: 'wait for a leader: not enough members have started' };
  if (!observed.hasServed) return { action: 'record-served', token, summary: `record that ${member} serves` };
  return { action: 'nothing', summary: 'serving' };
}

function planRejoin(
  wanted: WantedCluster,
  member: string,
  members: readonly string[],
  { others }: ObservedCluster,
  start: (state: 'existing', initialCluster: string, why: string) => ClusterStep,
): ClusterStep {
  const lost = `${wanted.ownName(member)} has served before and its data is gone`;
  if (members.length === 1) {
    return {
      action: 'refuse',
      summary: `${lost}; no other member has it`,
      next: 'attach the volume that holds it, or restore a backup',
    };
  }
  if (others === undefined || !others.hasLeader || others.healthy < members.length - 1) {
    return {
      action: 'wait',
      summary: `${lost}; it is replaced once every other member is healthy (${others?.healthy ?? 0} of ${members.length - 1} are)`,
    };
  }
  const ownUrl = wanted.peerUrl(member);
  const own = others.members.find(({ peerUrl }) => peerUrl === ownUrl);
  if (own === undefined)
    return { action: 'add-member', peerUrl: ownUrl, summary: `add ${wanted.ownName(member)} to the cluster: ${lost}` };
  if (own.name !== '')
    return { action: 'remove-member', id: own.id, summary: `remove the old ${own.name} (${own.id}): ${lost}` };
  const rest = others.members.filter(({ id }) => id !== own.id).map(({ name, peerUrl }) => `${name}=${peerUrl}`);
  return start(
    'existing',
    [...rest, `${wanted.ownName(member)}=${ownUrl}`].join(','),
    'it was added to the cluster and fetches its data',
  );
}

function onlyOne(tokens: readonly string[]): string | undefined {
  return tokens.length === 1 ? tokens[0] : undefined;
}

function count(tokens: readonly string[]): string {
  return tokens.length === 0 ? 'no data' : `the data of ${tokens.length} clusters`;
}
