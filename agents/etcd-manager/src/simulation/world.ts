import { pendingCommands } from '@kopsctl/state-store/etcd/command.ts';
import { hasEnded, readRestore } from '@kopsctl/state-store/etcd/restore-record.ts';
import { memberName, peerUrl } from '../etcd/settings.ts';
import { CREATED } from '../store/layout.ts';
import { attachVolume, doHarm } from './harms.ts';
import { BACKUP_PATH, configOf } from './machine.ts';
import { Violation } from './promises.ts';
import { Random } from './random.ts';
import type { EtcdData } from './simulated-etcd.ts';
import { MEMBERS, Stage } from './stage.ts';
import { TALES, type Tale } from './tales.ts';

/** In the end there is nothing to wait for but leases and the phases of restores that people asked for, one after the other. */
const MOST_STEPS_PER_COMMAND = 20_000;
/** Listing what people wait for takes longer than a step. */
const STEPS_BETWEEN_LISTS = 500;

/** How a cluster begins. */
export type Beginning = 'one member' | 'three members' | 'formed by kops';

/**
 * Machines with managers that run the product's own loops against one store and simulated etcds. Managers, etcds and machines
 * are killed, volumes and the marker are lost, people ask for backups and restores, and after every step the world checks what
 * the product promises.
 */
export class World {
  readonly #random: Random;
  readonly #stage: Stage;
  readonly #beginning: Beginning;

  constructor(seed: number, beginning: Beginning) {
    this.#random = new Random(seed);
    this.#beginning = beginning;
    this.#stage = new Stage(this.#random, beginning === 'one member' ? ['a'] : MEMBERS);
  }

  get trace(): readonly string[] {
    return this.#stage.schedule.trace;
  }

  /** Runs `steps` steps with harm, then heals everything. @throws Violation */
  run(steps: number): Promise<void> {
    return this.#live(async () => {
      for (let step = 0; step < steps; step += 1) {
        if (step === Math.floor(steps / 5)) this.#grow();
        if (this.#random.chance(0.03)) await doHarm(this.#stage, this.#random);
        await this.#step();
      }
    });
  }

  /** Lets a tale happen without any other harm, then heals everything. @throws Violation */
  tell(tale: Tale): Promise<void> {
    return this.#live(async () => {
      this.#stage.isHarmful = false;
      this.#stage.schedule.note(`this is the tale: ${tale}`);
      await TALES[tale].tell({ stage: this.#stage, random: this.#random, step: () => this.#step() });
    });
  }

  async #live(life: () => Promise<void>): Promise<void> {
    const stage = this.#stage;
    try {
      await this.#begin();
      await life();
      this.#heal();
      await this.#untilWhole();
    } finally {
      for (const machine of stage.machines) stage.stopManager(machine);
    }
  }

  /** In a long life people ask for more restores than the leader can carry out meanwhile. The wait lasts while it answers. */
  async #untilWhole(): Promise<void> {
    let unanswered = Number.POSITIVE_INFINITY;
    for (let step = 0; step < MOST_STEPS_PER_COMMAND; step += 1) {
      if (await this.#isWhole()) return;
      await this.#step();
      if (step % STEPS_BETWEEN_LISTS !== 0) continue;
      const now = (await pendingCommands(this.#stage.store, BACKUP_PATH)).length;
      if (now < unanswered) [unanswered, step] = [now, 0];
    }
    throw new Violation(`the cluster has not come back: ${await this.#describe()}`);
  }

  async #begin(): Promise<void> {
    this.#stage.schedule.note(`the cluster begins: ${this.#beginning}`);
    if (this.#beginning === 'formed by kops') await this.#formAsKops();
    for (const machine of this.#stage.machines) {
      if (this.#beginning !== 'one member' || machine.name === 'a') this.#stage.boot(machine);
    }
  }

  /** kops leaves data on the volumes, and a marker with nothing but a time. */
  async #formAsKops(): Promise<void> {
    const url = (member: string): string => peerUrl(configOf([], member), member);
    const initialCluster = MEMBERS.map((member) => `${memberName(member)}=${url(member)}`).join(',');
    const { etcd, machines, store } = this.#stage;
    for (const { name, volume } of machines.filter((machine) => machine.volume !== undefined)) {
      const data: { etcd?: EtcdData } = {};
      etcd.start(name, { token: 'kops', peerUrl: url(name), initialState: 'new', initialCluster, data });
      volume?.folders.set('kops', data);
    }
    for (let count = 0; count < 5; count += 1) etcd.write();
    for (const { name } of machines) etcd.stop(name);
    const marker = Buffer.from('{"timestamp":1517274123456000000}');
    await store.write(`${BACKUP_PATH}/${CREATED}`, marker, { ifAbsent: true });
  }

  /** From now on all members are wanted. */
  #grow(): void {
    if (this.#beginning !== 'one member') return;
    this.#stage.schedule.note('the cluster is to have all members');
    for (const machine of this.#stage.machines) {
      if (machine.volume !== undefined) machine.volume.members = MEMBERS;
      if (!machine.isUp) this.#stage.boot(machine);
    }
    if (this.#stage.detached !== undefined) this.#stage.detached.members = MEMBERS;
  }

  async #step(): Promise<void> {
    await this.#stage.schedule.step();
    if (this.#random.chance(0.1)) this.#stage.etcd.write();
    if (this.#random.chance(0.1)) this.#stage.etcd.settle();
    this.#stage.check();
  }

  #heal(): void {
    const stage = this.#stage;
    stage.isHarmful = false;
    stage.schedule.resume();
    stage.schedule.note('everything is healed');
    for (const machine of stage.machines) {
      machine.skewMs = 0;
      attachVolume(stage, machine);
      if (!machine.isUp) stage.boot(machine);
      stage.startManager(machine);
    }
  }

  /** Every member and its API server serve, and everybody who asked for something has an answer. */
  async #isWhole(): Promise<boolean> {
    const { etcd, machines, store } = this.#stage;
    const statuses = machines.flatMap(({ name, volume }) => (volume === undefined ? [] : [etcd.status(name)]));
    if (etcd.listed().length !== MEMBERS.length) return false;
    if (!statuses.every((status) => status?.leaderId !== undefined && !status.isLearner)) return false;
    if (machines.some(({ volume, apiServer }) => volume !== undefined && apiServer.isHeld)) return false;
    const restore = await readRestore(store, BACKUP_PATH);
    if (restore !== undefined && !hasEnded(restore.record)) return false;
    return (await pendingCommands(store, BACKUP_PATH)).length === 0;
  }

  async #describe(): Promise<string> {
    const { machines, store } = this.#stage;
    const decisions = machines.map(
      ({ name, manager, apiServer }) =>
        `${name}: ${manager?.own.state?.decision ?? 'no member'}${apiServer.isHeld ? ' (its API server is held)' : ''}`,
    );
    const phase = (await readRestore(store, BACKUP_PATH))?.record.phase ?? 'none';
    return [...decisions, `restore: ${phase}`].join('; ');
  }
}
