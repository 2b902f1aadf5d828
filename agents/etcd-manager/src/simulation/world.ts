import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { memberName, peerUrl } from '../etcd/settings.ts';
import { memberOf } from '../membership/member-of.ts';
import { planMembership, type MemberView } from '../membership/plan-membership.ts';
import { quorumOf } from '@kopsctl/state-store/etcd/quorum.ts';
import type { OwnMachine } from '../own-machine.ts';
import { OwnMember } from '../own-member.ts';
import { lookAfterMember, memberMemory } from '../reconcile-cluster.ts';
import { CREATED } from '../store/layout.ts';
import { identityOf } from '../units/unit-runner.ts';
import { faultyStore, type StoreFault } from './faulty-store.ts';
import { Random } from './random.ts';
import { Schedule } from './schedule.ts';
import { SimulatedEtcd, type EtcdData } from './simulated-etcd.ts';

/** What a volume has for one cluster token. */
interface TokenFolder {
  firstStart?: string;
  etcd?: EtcdData;
}

interface Machine {
  readonly member: string;
  /** The members that protokube wrote on the volume. */
  members: readonly string[];
  volume: Map<string, TokenFolder>;
  unit: { readonly identity: string; readonly token: string } | undefined;
  manager: { readonly process: string; readonly ended: AbortController; readonly own: OwnMember } | undefined;
  isUp: boolean;
}

/** A promise of the product that was broken. */
class Violation extends Error {
  override readonly name = 'Violation';
}

/** How long a member may be silent before another machine replaces it. */
const PATIENCE_MS = 60_000;

const QUIET: Log = { info: () => undefined, warn: () => undefined, error: () => undefined, about: () => QUIET };

/**
 * Machines with managers that run the product's own loop for their member, against one store and simulated etcds. The world
 * crashes managers, etcds and machines, loses volumes and the marker, and checks after every step that there is one cluster and
 * that it has every acknowledged write. Members are changed as `planMembership` decides.
 */
export class World {
  readonly schedule: Schedule;
  readonly #random: Random;
  readonly #etcd: SimulatedEtcd;
  readonly #store = createMemoryStore();
  readonly #machines: readonly Machine[];
  readonly #silentSinceMs = new Map<string, number>();
  #isHarmful = true;
  #processes = 0;

  /** @param founders the members that the volumes of the first machines name; the others come later */
  constructor(seed: number, founders: readonly string[], all: readonly string[]) {
    this.#random = new Random(seed);
    this.schedule = new Schedule(this.#random);
    this.#etcd = new SimulatedEtcd(this.#random);
    this.#machines = all.map((member) => ({
      member,
      members: founders,
      volume: new Map(),
      unit: undefined,
      manager: undefined,
      isUp: false,
    }));
    for (const machine of this.#machines.filter(({ member }) => founders.includes(member))) this.#boot(machine);
  }

  /** Runs `steps` steps with harm, then heals everything. @throws Violation */
  async run(steps: number): Promise<void> {
    for (let step = 0; step < steps; step += 1) {
      if (step === Math.floor(steps / 5)) this.#grow();
      if (this.#random.chance(0.03)) await this.#harm();
      await this.#step();
    }
    this.#isHarmful = false;
    this.schedule.resume();
    this.schedule.note('everything is healed');
    for (const machine of this.#machines.filter(({ isUp }) => !isUp)) this.#boot(machine);
    for (const machine of this.#machines) this.#startManager(machine);
    for (let step = 0; step < 4_000 && !this.#isWhole(); step += 1) await this.#step();
    if (!this.#isWhole()) throw new Violation(`the cluster has not come back: ${this.#describe()}`);
    this.#end();
  }

  async #step(): Promise<void> {
    await this.schedule.step();
    if (this.#random.chance(0.1)) this.#etcd.write();
    if (this.#random.chance(0.1)) this.#etcd.settle();
    if (this.#random.chance(0.05)) this.#changeMembers();
    this.#check();
  }

  #check(): void {
    const serving = this.#etcd.serving();
    if (serving.length > 1) throw new Violation(`two clusters serve: ${serving.join(' and ')}`);
    for (const cluster of serving) {
      const lost = this.#etcd.lostBy(cluster);
      if (lost.length > 0) throw new Violation(`acknowledged writes are lost: ${lost.join(', ')}`);
    }
  }

  #isWhole(): boolean {
    const [cluster] = this.#etcd.serving();
    const statuses = this.#machines.map(({ member }) => this.#etcd.status(member));
    return cluster !== undefined && statuses.every((status) => status?.leaderId !== undefined && !status.isLearner);
  }

  #describe(): string {
    return this.#machines
      .map(({ member, manager }) => `${member}: ${manager?.own.state?.decision ?? 'no manager'}`)
      .join('; ');
  }

  #end(): void {
    for (const machine of this.#machines) this.#stopManager(machine);
  }

  /** From now on the volumes name all members. */
  #grow(): void {
    this.schedule.note('the cluster is to have all members');
    const members = this.#machines.map(({ member }) => member);
    for (const machine of this.#machines) {
      machine.members = members;
      if (!machine.isUp) this.#boot(machine);
    }
  }

  #boot(machine: Machine): void {
    this.schedule.note(`${machine.member} boots`);
    machine.isUp = true;
    // Units are those of the running system: a reboot forgets them.
    machine.unit = undefined;
    this.#startManager(machine);
  }

  #startManager(machine: Machine): void {
    if (machine.manager !== undefined || !machine.isUp) return;
    this.#processes += 1;
    const process = `${machine.member}#${this.#processes}`;
    const manager = { process, ended: new AbortController(), own: new OwnMember() };
    machine.manager = manager;
    void this.#manage(machine, manager);
  }

  #stopManager(machine: Machine): void {
    if (machine.manager === undefined) return;
    this.schedule.forget(machine.manager.process);
    machine.manager = undefined;
  }

  /** The loop of the own member, as `reconcileCluster` runs it, with the waits of the schedule. */
  async #manage(machine: Machine, { process, ended, own }: NonNullable<Machine['manager']>): Promise<void> {
    const config = this.#configOf(machine);
    const memory = memberMemory(QUIET);
    const turn = (what: string): Promise<void> => this.schedule.turn(process, what);
    const fault = (what: string): StoreFault => this.#storeFault(process, what);
    const env = {
      address: machine.member,
      store: faultyStore(this.#store, turn, fault),
      log: {
        ...QUIET,
        info: (message: string, fields?: object) =>
          this.schedule.note(`${process} ${message} ${JSON.stringify(fields)}`),
      },
      own,
      machine: this.#machineOf(machine, turn),
    };
    for (;;) {
      let waitMs: number | undefined;
      try {
        waitMs = await lookAfterMember(config, memory, env, ended.signal);
      } catch (error) {
        this.schedule.note(`${process} failed: ${String(error)}`);
        waitMs = 1_000;
      }
      await this.schedule.sleep(process, waitMs ?? 0);
    }
  }

  #storeFault(process: string, what: string): StoreFault {
    if (!this.#isHarmful || !this.#random.chance(0.03)) return 'none';
    const fault = this.#random.chance(0.5) ? 'refused' : 'answer lost';
    this.schedule.note(`${process} ${what.replaceAll(/[0-9a-f]{32}/g, 'T')}: ${fault}`);
    return fault;
  }

  #machineOf(machine: Machine, turn: (what: string) => Promise<void>): OwnMachine {
    const at = async <T>(what: string, look: () => T): Promise<T> => {
      await turn(what);
      return look();
    };
    return {
      nowMs: () => this.schedule.nowMs,
      member: () =>
        at('member', () => ({ member: machine.member, members: machine.members, volumeId: machine.member })),
      tokensWithLog: () =>
        at('tokens', () => [...machine.volume].flatMap(([token, { etcd }]) => (etcd === undefined ? [] : [token]))),
      etcd2Tokens: () => Promise.resolve([]),
      firstStart: (token) => at('first start', () => machine.volume.get(token)?.firstStart),
      dataVersion: () => Promise.resolve('3.5.0'),
      unit: () =>
        at('unit', () => ({
          ...(machine.unit && { identity: machine.unit.identity }),
          isRunning: this.#etcd.isRunning(machine.member),
        })),
      isNameKnown: () => Promise.resolve(true),
      askLocal: () => at('ask local', () => this.#etcd.status(machine.member)),
      ask: (member) => at(`ask ${member}`, () => this.#etcd.answer(member)),
      keepFirstStart: (token) =>
        at('keep first start', () => {
          const folder = this.#folder(machine, token);
          folder.firstStart ??= `start ${this.schedule.trace.length}`;
          return folder.firstStart;
        }),
      start: (token, unit) =>
        at('start', () => {
          machine.unit = { identity: identityOf(unit), token };
          const { ETCD_INITIAL_CLUSTER_STATE: initialState = '', ETCD_INITIAL_CLUSTER: initialCluster = '' } =
            unit.initial;
          const data = this.#folder(machine, token);
          this.#etcd.start(machine.member, { token, peerUrl: this.#url(machine), initialState, initialCluster, data });
        }),
      setAside: (token) =>
        at('set aside', () => {
          this.#etcd.stop(machine.member);
          machine.volume.delete(token);
        }),
    };
  }

  #folder(machine: Machine, token: string): TokenFolder {
    const there = machine.volume.get(token) ?? {};
    machine.volume.set(token, there);
    return there;
  }

  #configOf({ member, members }: Machine): EtcdClusterConfig {
    return {
      name: 'main',
      mountPoint: `/mnt/${member}`,
      members,
      memberHost: 'etcd-<member>',
      clientPort: 4001,
      peerPort: 2380,
      etcdVersion: '3.5.30',
      binDir: '/opt/etcd',
      backupPath: 'demo/backups/etcd/main',
      peersCa: 'peers',
      clientsCa: 'clients',
      env: [],
    };
  }

  #url(machine: Machine): string {
    return peerUrl(this.#configOf(machine), machine.member);
  }

  /** What the leader among the managers does, at once: the loop of the members is fenced by records of its own. */
  #changeMembers(): void {
    const [cluster] = this.#etcd.serving();
    const answer = this.#machines
      .map(({ member }) => this.#etcd.answer(member))
      .find((one) => one?.status.leaderId !== undefined);
    if (cluster === undefined || answer === undefined) return;
    const members = answer.members.map((listed): MemberView => {
      const member = memberOf({ memberHost: 'etcd-<member>' }, listed);
      const status = this.#etcd.status(member);
      const isWell = status?.memberId === listed.id && status.leaderId !== undefined;
      if (isWell) this.#silentSinceMs.delete(listed.id);
      else if (!this.#silentSinceMs.has(listed.id)) this.#silentSinceMs.set(listed.id, this.schedule.nowMs);
      const silentForMs = isWell ? 0 : 1 + this.schedule.nowMs - (this.#silentSinceMs.get(listed.id) ?? 0);
      return {
        ...listed,
        name: listed.name === '' ? '' : memberName(member),
        member,
        isLeader: listed.id === answer.status.leaderId,
        silentForMs,
      };
    });
    const peers = this.#machines.flatMap((machine) => {
      const state = machine.manager?.own.state;
      if (state === undefined) return [];
      const { member, hasData, hasServed } = state;
      return [{ member, peerUrl: this.#url(machine), hasData, hasServed }];
    });
    const wanted = this.#machines[0]?.members.length ?? 0;
    const step = planMembership({
      memberCount: wanted,
      members,
      peers,
      hasLearners: true,
      patienceMs: PATIENCE_MS,
      corruptAlarms: [],
      sameForMs: 0,
    });
    if (step.action !== 'add' && step.action !== 'remove' && step.action !== 'promote') return;
    this.schedule.note(`members: ${step.summary}`);
    if (step.action === 'add') this.#etcd.addLearner(cluster, step.peerUrl);
    if (step.action === 'remove') this.#etcd.remove(cluster, step.id);
    if (step.action === 'promote') this.#etcd.promote(cluster, step.id);
  }

  async #harm(): Promise<void> {
    const machine = this.#random.pick(this.#machines.filter(({ members, member }) => members.includes(member)));
    const { member, manager } = machine;
    switch (this.#random.below(8)) {
      case 0:
        if (manager !== undefined) this.schedule.note(`${member}: its manager is killed`);
        this.#stopManager(machine);
        return;
      case 1:
      case 2:
        return machine.isUp ? this.#startManager(machine) : this.#boot(machine);
      case 3:
        if (!machine.isUp) return;
        this.schedule.note(`${member} loses its power`);
        this.#stopManager(machine);
        this.#etcd.stop(member);
        machine.isUp = false;
        return;
      case 4:
        if (manager === undefined) return;
        this.schedule.note(`${manager.process} is paused`);
        this.schedule.pause(manager.process);
        return;
      case 5:
        return this.schedule.resume();
      case 6:
        return this.#loseMarker();
      case 7:
        return this.#loseVolume(machine);
    }
  }

  async #loseMarker(): Promise<void> {
    const path = `demo/backups/etcd/main/${CREATED}`;
    const there = await this.#store.read(path);
    // A marker that is lost before any member has data is a cluster that never was.
    if (there === undefined || this.#etcd.acknowledged.length === 0) return;
    this.schedule.note('the marker is lost');
    if (this.#random.chance(0.5)) await this.#store.delete(path);
    else await this.#store.write(path, Buffer.from('{"tok'), { ifVersion: there.version });
  }

  /** A disk is lost only while a majority of the voters has its data without it: nobody can promise anything otherwise. */
  #loseVolume(machine: Machine): void {
    const [cluster] = this.#etcd.serving();
    if (cluster === undefined) return;
    const members =
      this.#machines.map(({ member }) => this.#etcd.answer(member)).find((one) => one?.status.leaderId !== undefined)
        ?.members ?? [];
    const voters = members.filter(({ isLearner }) => !isLearner);
    const others = this.#machines.filter((one) => one !== machine);
    const intact = voters.filter(({ id }) =>
      others.some(({ volume }) => [...volume.values()].some(({ etcd }) => etcd?.memberId === id)),
    );
    if (intact.length < quorumOf(voters.length)) return;
    this.schedule.note(`${machine.member} loses its disk`);
    this.#stopManager(machine);
    this.#etcd.stop(machine.member);
    machine.volume = new Map();
    machine.isUp = false;
  }
}
