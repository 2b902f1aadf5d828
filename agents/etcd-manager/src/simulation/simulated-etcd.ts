import type { EtcdStatus } from '../etcd/client.ts';
import type { EtcdAnswer } from '../own-machine.ts';
import type { ListedMember } from '../plan-cluster.ts';
import { quorumOf } from '@kopsctl/state-store/etcd/quorum.ts';
import type { Random } from './random.ts';

/** What an etcd has on its volume. */
export interface EtcdData {
  readonly clusterId: string;
  readonly memberId: string;
  /** The writes that it has, in order. */
  log: readonly number[];
}

interface Started {
  readonly token: string;
  readonly peerUrl: string;
  readonly initialState: string;
  /** `name=url` of every member. */
  readonly initialCluster: string;
  readonly data: { etcd?: EtcdData };
}

interface Cluster {
  readonly id: string;
  members: ListedMember[];
  leader: string | undefined;
}

/**
 * The etcds of all machines, as far as clients and managers can observe them: members and learners, quorum, elections by the
 * longest log, writes that a majority has, and data that outlives its process. Networks are whole; machines stop instead.
 */
export class SimulatedEtcd {
  readonly #random: Random;
  readonly #clusters = new Map<string, Cluster>();
  readonly #running = new Map<string, Started>();
  #lastId = 0;
  #lastWrite = 0;
  readonly acknowledged: number[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  /** Starts the etcd of a machine; what it has on its volume decides, as in etcd, before its settings do. */
  start(machine: string, started: Started): void {
    this.#running.set(machine, started);
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

  /** The clusters that have a leader. */
  serving(): readonly string[] {
    return [...this.#clusters.values()].filter(({ leader }) => leader !== undefined).map(({ id }) => id);
  }

  /** Acknowledged writes that the leader of a cluster does not have. */
  lostBy(clusterId: string): readonly number[] {
    const log = this.#leaderData(this.#cluster(clusterId))?.log ?? [];
    return this.acknowledged.filter((write) => !log.includes(write));
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
      this.acknowledged.push(this.#lastWrite);
    }
  }

  status(machine: string): EtcdStatus | undefined {
    const data = this.#running.get(machine)?.data.etcd;
    if (data === undefined) return undefined;
    const { clusterId, memberId } = data;
    const { leader: elected, members } = this.#cluster(clusterId);
    const own = members.find(({ id }) => id === memberId);
    // A member that was removed hears of no leader any more.
    const leader = own === undefined ? undefined : elected;
    const isLearner = own?.isLearner === true;
    const version = '3.5.30';
    return {
      clusterId,
      memberId,
      version,
      dbSizeBytes: 0,
      revision: data.log.length,
      isLearner,
      ...(leader && { leaderId: leader }),
    };
  }

  answer(machine: string): EtcdAnswer | undefined {
    const status = this.status(machine);
    return status && { status, members: this.#cluster(status.clusterId).members };
  }

  addLearner(clusterId: string, peerUrl: string): void {
    const cluster = this.#cluster(clusterId);
    if (cluster.leader === undefined || cluster.members.some((member) => member.peerUrl === peerUrl)) return;
    cluster.members.push({ id: this.#nextId(), name: '', peerUrl, isLearner: true });
    this.settle();
  }

  promote(clusterId: string, memberId: string): void {
    const cluster = this.#cluster(clusterId);
    const leader = this.#leaderData(cluster);
    const caughtUp = this.#dataOf(cluster, memberId)?.log.length === leader?.log.length;
    if (leader === undefined || !caughtUp) return;
    cluster.members = cluster.members.map((member) =>
      member.id === memberId ? { ...member, isLearner: false } : member,
    );
    this.settle();
  }

  remove(clusterId: string, memberId: string): void {
    const cluster = this.#cluster(clusterId);
    if (cluster.leader === undefined) return;
    cluster.members = cluster.members.filter(({ id }) => id !== memberId);
    this.settle();
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
      if (started.data.etcd === undefined && started.initialState === 'existing' && joining !== undefined) {
        started.data.etcd = { clusterId: cluster.id, memberId: joining.id, log: leader.log };
        cluster.members = cluster.members.map((one) => (one === joining ? { ...one, name: `etcd-${one.id}` } : one));
      }
      // A learner is sent everything; a voter that misses something is sent it sooner or later.
      const { etcd } = started.data;
      if (etcd?.clusterId === cluster.id && this.#random.chance(0.5)) etcd.log = leader.log;
    }
  }

  #found({ token, peerUrl, initialCluster }: Started): EtcdData {
    const clusterId = `${token} of ${initialCluster}`;
    const members = initialCluster.split(',').map((entry): ListedMember => {
      const [name = '', url = ''] = entry.split('=');
      // etcd computes the ids of first members from their URLs and the token.
      return { id: `${token} ${url}`, name, peerUrl: url, isLearner: false };
    });
    if (!this.#clusters.has(clusterId)) this.#clusters.set(clusterId, { id: clusterId, members, leader: undefined });
    return { clusterId, memberId: `${token} ${peerUrl}`, log: [] };
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
    const all = [...this.#running.values()].map(({ data }) => data.etcd);
    return all.find((data) => data?.clusterId === id && data.memberId === memberId);
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
