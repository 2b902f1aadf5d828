import { quorumOf } from '@kopsctl/state-store/etcd/quorum.ts';
import {
  NotInSyncError,
  UnhealthyClusterError,
  type EtcdMaintenance,
  type EtcdMembers,
  type EtcdStatus,
} from '../etcd/client.ts';
import type { ListedMember } from '../plan-cluster.ts';
import type { Random } from './random.ts';

/** What an etcd has on its volume. */
export interface EtcdData {
  readonly clusterId: string;
  readonly memberId: string;
  /** The writes that it has, in order. */
  log: readonly number[];
  /** The revision before the first write. */
  readonly base: number;
}

export interface Started {
  readonly token: string;
  readonly peerUrl: string;
  readonly initialState: string;
  /** `name=url` of every member. */
  readonly initialCluster: string;
  readonly data: { etcd?: EtcdData };
}

interface Running extends Started {
  readonly sinceMs: number;
  /** Up to 3.5, etcd answers nobody before it has heard of a leader for the first time since it started. */
  isReady: boolean;
}

interface Cluster {
  readonly id: string;
  readonly token: string;
  members: ListedMember[];
  leader: string | undefined;
  /** Writes that a client was told of, and those of the backup from which it was restored. */
  acknowledged: number[];
}

/** etcd 3.3 and newer, etcdserver/server.go: HealthInterval. */
const CONNECTED_MS = 5_000;

export function revisionOf({ base, log }: Pick<EtcdData, 'base' | 'log'>): number {
  return base + log.length;
}

/** What managers ask of one etcd. */
export type AnsweringEtcd = EtcdMembers & Pick<EtcdMaintenance, 'status'>;

/**
 * The etcds of all machines, as far as clients and managers can observe them: members and learners, quorum, elections by the
 * longest log, the checks of a change of members, writes that a majority has, and data that outlives its process. Networks are
 * never broken; machines stop instead. `simulated-etcd.integration.test.ts` compares its answers with those of real ones.
 */
export class SimulatedEtcd {
  readonly #random: Random;
  readonly #nowMs: () => number;
  readonly #clusters = new Map<string, Cluster>();
  readonly #running = new Map<string, Running>();
  #lastId = 0;
  #lastWrite = 0;

  constructor(random: Random, nowMs: () => number) {
    this.#random = random;
    this.#nowMs = nowMs;
  }

  /** Starts the etcd of a machine; what it has on its volume decides, as in etcd, before its settings do. */
  start(machine: string, started: Started): void {
    this.#running.set(machine, { ...started, sinceMs: this.#nowMs(), isReady: false });
    if (started.data.etcd === undefined && started.initialState === 'new') started.data.etcd = this.#found(started);
    this.settle();
  }

  stop(machine: string): void {
    this.#running.delete(machine);
    this.settle();
  }

  isRunning(machine: string): boolean {
    return this.#running.has(machine);
  }

  /** The data of a member that `etcdctl snapshot restore` makes. */
  restored(
    { token, peerUrl, initialCluster }: Pick<Started, 'token' | 'peerUrl' | 'initialCluster'>,
    content: Pick<EtcdData, 'log' | 'base'>,
  ): EtcdData {
    const data = this.#found({ token, peerUrl, initialCluster });
    const cluster = this.#cluster(data.clusterId);
    if (cluster.acknowledged.length === 0) cluster.acknowledged = [...content.log];
    return { ...data, ...content };
  }

  /** The clusters that have a leader. */
  serving(): readonly { readonly id: string; readonly token: string; readonly revision: number }[] {
    return [...this.#clusters.values()].flatMap((cluster) => {
      const leader = this.#leaderData(cluster);
      return leader === undefined ? [] : [{ id: cluster.id, token: cluster.token, revision: revisionOf(leader) }];
    });
  }

  /** Acknowledged writes that the leader of a cluster does not have. */
  lostBy(clusterId: string): readonly number[] {
    const cluster = this.#cluster(clusterId);
    const log = this.#leaderData(cluster)?.log ?? [];
    // Both are in the order of the writes, and this is asked after every step.
    let at = 0;
    return cluster.acknowledged.filter((write) => {
      while ((log[at] ?? Number.POSITIVE_INFINITY) < write) at += 1;
      return log[at] !== write;
    });
  }

  get hasAcknowledged(): boolean {
    return [...this.#clusters.values()].some(({ acknowledged }) => acknowledged.length > 0);
  }

  /** A client writes to whichever cluster it reaches. The write is acknowledged once a majority has it. */
  write(): void {
    for (const cluster of this.#clusters.values()) {
      const leader = this.#leaderData(cluster);
      if (leader === undefined) continue;
      this.#lastWrite += 1;
      leader.log = [...leader.log, this.#lastWrite];
      const followers = this.#voters(cluster).filter((data) => data !== leader);
      const needed = quorumOf(this.#voterCount(cluster)) - 1;
      const first = this.#random.below(followers.length + 1);
      for (const [index] of followers.entries()) {
        const follower = followers[(first + index) % followers.length];
        if (follower !== undefined && index < needed) follower.log = leader.log;
      }
      cluster.acknowledged.push(this.#lastWrite);
    }
  }

  /** A linearizable read waits until the member has every write that was acknowledged before. It needs a quorum. */
  readAt(machine: string): EtcdData {
    const { data: { etcd: data } = {}, isReady } = this.#running.get(machine) ?? {};
    if (data === undefined || isReady !== true) throw new Error(`connect ECONNREFUSED ${machine}`);
    const leader = this.#leaderData(this.#cluster(data.clusterId));
    if (leader === undefined) throw new Error('etcdserver: request timed out');
    data.log = leader.log;
    return data;
  }

  /** What clients of the cluster that serves were told is written. */
  acknowledged(): readonly number[] {
    return [...([...this.#clusters.values()].find(({ leader }) => leader !== undefined)?.acknowledged ?? [])];
  }

  /** The members of the cluster that serves, as its leader lists them. */
  listed(): readonly ListedMember[] {
    return [...this.#clusters.values()].find(({ leader }) => leader !== undefined)?.members ?? [];
  }

  /** How many voters of the cluster that serves run beyond the ones it needs; undefined if none serves. */
  spareVoters(): number | undefined {
    const cluster = [...this.#clusters.values()].find(({ leader }) => leader !== undefined);
    return cluster && this.#voters(cluster).length - quorumOf(this.#voterCount(cluster));
  }

  status(machine: string): EtcdStatus | undefined {
    const { data: { etcd: data } = {}, isReady } = this.#running.get(machine) ?? {};
    if (data === undefined || isReady !== true) return undefined;
    const { clusterId, memberId } = data;
    const { leader: elected, members } = this.#cluster(clusterId);
    const own = members.find(({ id }) => id === memberId);
    // A member that was removed no longer hears of a leader.
    const leader = own === undefined ? undefined : elected;
    const isLearner = own?.isLearner === true;
    const version = '3.5.30';
    return {
      clusterId,
      memberId,
      version,
      dbSizeBytes: 0,
      revision: revisionOf(data),
      isLearner,
      ...(leader && { leaderId: leader }),
    };
  }

  /** The etcd that answers at this machine, or at the name of a member. */
  machineOf(host: string): string | undefined {
    if (this.#running.has(host)) return host;
    return [...this.#running].find(([, { peerUrl }]) => new URL(peerUrl).hostname === host)?.[0];
  }

  /** What the etcd at this machine, or at the name of a member, has. */
  dataAt(host: string): EtcdData | undefined {
    const machine = this.machineOf(host);
    const running = machine === undefined ? undefined : this.#running.get(machine);
    return running?.isReady === true ? running.data.etcd : undefined;
  }

  /** The etcd of a machine, as its manager and others reach it. Every method throws if it does not answer. */
  client(machine: string): AnsweringEtcd {
    const reached = (): { readonly cluster: Cluster; readonly status: EtcdStatus } => {
      const status = this.status(machine);
      if (status === undefined) throw new Error(`connect ECONNREFUSED ${machine}`);
      return { status, cluster: this.#cluster(status.clusterId) };
    };
    const led = (): Cluster => {
      const { cluster, status } = reached();
      if (status.leaderId === undefined) throw new Error('etcdserver: request timed out');
      return cluster;
    };
    return {
      status: async () => reached().status,
      members: async () => reached().cluster.members,
      addMember: async (peerUrl, { isLearner }) => {
        const { cluster } = reached();
        // etcd 3.5 server.go, mayAddMember: all voters have to have been connected for a while.
        if (this.#connected(cluster) < this.#voterCount(cluster)) throw unhealthy();
        this.#add(led(), peerUrl, isLearner);
      },
      promoteMember: async (id) => this.#promote(led(), id),
      removeMember: async (id) => this.#remove(led(), id),
      moveLeader: async (target) => this.#moveLeader(led(), reached().status.memberId, target),
    };
  }

  #add(cluster: Cluster, peerUrl: string, isLearner: boolean): void {
    if (cluster.members.some((member) => member.peerUrl === peerUrl))
      throw new Error('etcdserver: Peer URLs already exists');
    if (cluster.members.some((member) => member.isLearner) && isLearner)
      throw new Error('etcdserver: too many learner members in cluster');
    cluster.members = [...cluster.members, { id: this.#nextId(), name: '', peerUrl, isLearner }];
    this.settle();
  }

  #promote(cluster: Cluster, memberId: string): void {
    const member = cluster.members.find(({ id }) => id === memberId);
    if (member === undefined) throw new Error('etcdserver: member not found');
    if (!member.isLearner) throw new Error('etcdserver: can only promote a learner member');
    if (this.#dataOf(cluster, memberId)?.log.length !== this.#leaderData(cluster)?.log.length)
      throw new NotInSyncError('etcdserver: can only promote a learner member which is in sync with leader');
    cluster.members = cluster.members.map((one) => (one === member ? { ...one, isLearner: false } : one));
    this.settle();
  }

  #remove(cluster: Cluster, memberId: string): void {
    const member = cluster.members.find(({ id }) => id === memberId);
    if (member === undefined) throw new Error('etcdserver: member not found');
    // etcd 3.5 server.go, mayRemoveMember: a member that is down may go. Otherwise as many of the rest have to be connected as
    // a majority of all that there are now needs.
    const isDown = this.#dataOf(cluster, memberId) === undefined;
    const voters = this.#voterCount(cluster);
    if (!member.isLearner && voters === 1)
      throw new Error('etcdserver: re-configuration failed due to not enough started members');
    const least = 1 + Math.floor((voters - 1) / 2);
    if (!member.isLearner && !isDown && this.#connected(cluster) - 1 < least) throw unhealthy();
    cluster.members = cluster.members.filter(({ id }) => id !== memberId);
    this.settle();
  }

  #moveLeader(cluster: Cluster, asked: string, target: string): void {
    if (cluster.leader !== asked) throw new Error('etcdserver: not leader');
    const isAble = this.#dataOf(cluster, target)?.log.length === this.#leaderData(cluster)?.log.length;
    const isVoter = cluster.members.some(({ id, isLearner }) => id === target && !isLearner);
    if (!isVoter) throw new Error('etcdserver: bad leader transferee');
    if (!isAble) throw new Error('etcdserver: request timed out, leader transfer took too long');
    cluster.leader = target;
  }

  /** Voters that have run for so long that changes of members are accepted; the leader always counts. */
  #connected(cluster: Cluster): number {
    const since = new Map([...this.#running.values()].map(({ data, sinceMs }) => [data.etcd, sinceMs]));
    const isConnected = (data: EtcdData): boolean =>
      data.memberId === cluster.leader || this.#nowMs() - (since.get(data) ?? Number.POSITIVE_INFINITY) >= CONNECTED_MS;
    return this.#voters(cluster).filter(isConnected).length;
  }

  /** Elections, and followers that catch up with their leader. */
  settle(): void {
    for (const cluster of this.#clusters.values()) {
      const up = this.#voters(cluster);
      const majority = quorumOf(this.#voterCount(cluster));
      if (up.length < majority) cluster.leader = undefined;
      else if (!up.some(({ memberId }) => memberId === cluster.leader)) {
        // Raft: a candidate wins if a majority has no longer log than it.
        const able = up.filter(({ log }) => up.filter((other) => other.log.length <= log.length).length >= majority);
        cluster.leader = this.#random.pick(able).memberId;
      }
      const leader = this.#leaderData(cluster);
      if (leader !== undefined) this.#replicate(cluster, leader);
    }
  }

  #replicate(cluster: Cluster, leader: EtcdData): void {
    for (const started of this.#running.values()) {
      const joining = cluster.members.find(({ peerUrl, name }) => peerUrl === started.peerUrl && name === '');
      const isJoining = started.data.etcd === undefined && started.initialState === 'existing';
      // Its process runs for a while before it has created its data.
      if (isJoining && joining !== undefined && started.sinceMs < this.#nowMs()) {
        const { log, base } = leader;
        started.data.etcd = { clusterId: cluster.id, memberId: joining.id, log, base };
        cluster.members = cluster.members.map((one) => (one === joining ? { ...one, name: `etcd-${one.id}` } : one));
      }
      // A learner is sent everything; a voter that misses something is sent it sooner or later.
      const { etcd } = started.data;
      if (etcd?.clusterId === cluster.id && cluster.members.some(({ id }) => id === etcd.memberId))
        started.isReady = true;
      if (etcd?.clusterId === cluster.id && this.#random.chance(0.5)) etcd.log = leader.log;
    }
  }

  #found({ token, peerUrl, initialCluster }: Pick<Started, 'token' | 'peerUrl' | 'initialCluster'>): EtcdData {
    const clusterId = `${token} of ${initialCluster}`;
    const members = initialCluster.split(',').map((entry): ListedMember => {
      const [name = '', url = ''] = entry.split('=');
      // etcd computes the ids of first members from their URLs and the token.
      return { id: `${token} ${url}`, name, peerUrl: url, isLearner: false };
    });
    if (!this.#clusters.has(clusterId)) {
      this.#clusters.set(clusterId, { id: clusterId, token, members, leader: undefined, acknowledged: [] });
    }
    return { clusterId, memberId: `${token} ${peerUrl}`, log: [], base: 1 };
  }

  #voters(cluster: Cluster): readonly EtcdData[] {
    const voters = cluster.members.filter(({ isLearner }) => !isLearner);
    return voters.flatMap(({ id }) => this.#dataOf(cluster, id) ?? []);
  }

  #voterCount({ members }: Cluster): number {
    return members.filter(({ isLearner }) => !isLearner).length;
  }

  /** The data of a member whose etcd runs. */
  #dataOf({ id }: Cluster, memberId: string): EtcdData | undefined {
    for (const { data } of this.#running.values()) {
      if (data.etcd?.clusterId === id && data.etcd.memberId === memberId) return data.etcd;
    }
    return undefined;
  }

  #leaderData(cluster: Cluster): EtcdData | undefined {
    return cluster.leader === undefined ? undefined : this.#dataOf(cluster, cluster.leader);
  }

  #cluster(id: string): Cluster {
    const cluster = this.#clusters.get(id);
    if (cluster === undefined) throw new Error(`there is no cluster ${id}`);
    return cluster;
  }

  #nextId(): string {
    this.#lastId += 1;
    return `id-${this.#lastId}`;
  }
}

function unhealthy(): UnhealthyClusterError {
  return new UnhealthyClusterError('etcdserver: unhealthy cluster');
}
