import type { Log } from '@kopsctl/agent/log.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { faultyStore, type StoreFault } from './faulty-store.ts';
import { BACKUP_PATH, type Machine, type ProcessView, type Volume } from './machine.ts';
import { startManager, type Manager } from './manager.ts';
import { Promises, Violation } from './promises.ts';
import type { Random } from './random.ts';
import { Schedule } from './schedule.ts';
import { SimulatedEtcd } from './simulated-etcd.ts';
import { StoredFacts } from './stored-facts.ts';

export const MEMBERS = ['a', 'b', 'c'];
/** What clocks show at the first step. */
const BEGIN_MS = Date.parse('2026-06-15T12:00:00Z');

/** Looks that follow each other sooner would only take longer to simulate. */
const SHORTEST_WAIT_MS = 1_000;

/** Reads on which decisions rest: what happens between them and the writes that follow is what fencing is about. */
const DECIDES = /^read .*\/control\/(leader|restore\.json|change\.json|versions\.json|etcd-cluster-created)$/;

/** A machine and, if one runs, its manager. */
export interface ManagedMachine extends Machine {
  manager: Manager | undefined;
}

/** The machines, their managers, the store and the etcds, and what can be done to them. */
export class Stage {
  readonly schedule: Schedule;
  readonly etcd: SimulatedEtcd;
  readonly store: StateStore;
  readonly promises: Promises;
  /** The last one stands by, without a volume. */
  readonly machines: readonly ManagedMachine[];
  /** A volume that is attached to no machine. */
  detached: Volume | undefined;
  isHarmful = true;
  /** A promise that was broken within a call of a manager. */
  broken: Violation | undefined;
  readonly #random: Random;
  #processes = 0;

  constructor(random: Random, members: readonly string[]) {
    this.#random = random;
    this.schedule = new Schedule(random);
    const nowMs = (): number => this.schedule.nowMs;
    this.etcd = new SimulatedEtcd(random, nowMs);
    const facts = new StoredFacts();
    this.store = facts.noting(createMemoryStore({ now: () => BEGIN_MS + nowMs() }));
    this.promises = new Promises(this.etcd, facts);
    this.machines = [...MEMBERS, 'd'].map((name) => ({
      name,
      volume: MEMBERS.includes(name) ? { member: name, members, folders: new Map() } : undefined,
      unit: undefined,
      apiServer: { isHeld: false },
      isUp: false,
      skewMs: 0,
      manager: undefined,
    }));
  }

  boot(machine: ManagedMachine): void {
    this.schedule.note(`${machine.name} boots`);
    machine.isUp = true;
    // Units are those of the running system: a reboot forgets them.
    machine.unit = undefined;
    this.startManager(machine);
  }

  powerOff(machine: ManagedMachine): void {
    this.stopManager(machine);
    this.etcd.stop(machine.name);
    machine.isUp = false;
  }

  startManager(machine: ManagedMachine): void {
    if (machine.manager !== undefined || !machine.isUp) return;
    this.#processes += 1;
    const process = `${machine.name}#${this.#processes}`;
    machine.manager = startManager(machine, this.etcd, this.#viewOf(machine, process), {
      process,
      members: MEMBERS,
      log: this.#logOf(process),
      wait: (ms) => this.schedule.sleep(process, ms === 0 ? 0 : Math.max(ms, SHORTEST_WAIT_MS)),
      onRemoved: (names) => this.#onRemovedBackups(process, names),
    });
  }

  stopManager(machine: ManagedMachine): void {
    if (machine.manager === undefined) return;
    this.schedule.forget(machine.manager.process);
    machine.manager = undefined;
  }

  wallMs({ skewMs }: Pick<Machine, 'skewMs'> = { skewMs: 0 }): number {
    return BEGIN_MS + this.schedule.nowMs + skewMs;
  }

  /** @throws Violation */
  check(): void {
    if (this.broken !== undefined) throw this.broken;
    this.promises.checkEtcd(this.schedule.awakeMs);
    this.promises.checkKept();
    const managers = this.machines.flatMap(({ manager, volume }) =>
      manager === undefined
        ? []
        : [{ ...manager, hasVolume: volume !== undefined, isPaused: this.schedule.paused.has(manager.process) }],
    );
    this.promises.checkLeaders(managers, this.schedule.awakeMs);
  }

  #logOf(process: string): Log {
    const note = (message: string, fields?: object): void =>
      this.schedule.note(`${process} ${message} ${shortened(fields)}`);
    const log: Log = { debug: () => undefined, info: note, warn: note, error: note, about: () => log };
    return log;
  }

  #viewOf(machine: ManagedMachine, process: string): ProcessView {
    const { schedule } = this;
    const turn = (): Promise<void> => schedule.turn(process);
    return {
      turn,
      clock: {
        nowMs: () => schedule.nowMs,
        wallMs: () => this.wallMs(machine),
        after: (ms) => schedule.after(process, ms),
        sleep: (ms) => schedule.sleep(process, ms),
      },
      store: faultyStore(this.store, turn, (what) => this.#storeFault(process, what)),
      loseAnswer: (what) => {
        if (!this.isHarmful || !this.#random.chance(0.03)) return;
        schedule.note(`${process} the answer of etcd is lost: ${what}`);
        throw new Error('the answer of etcd is lost');
      },
      onRemove: (id, remove) => this.#removeMember(process, id, remove),
    };
  }

  /** Only a leader of the current term is to blame: etcd compares nothing, so a late call may do harm (decision 12). */
  async #removeMember(process: string, id: string, remove: () => Promise<void>): Promise<void> {
    const before = this.etcd.spareVoters();
    await remove();
    const leader = await this.store.read(`${BACKUP_PATH}/control/leader`);
    const isCurrent = Buffer.from(leader?.bytes ?? []).includes(process);
    this.schedule.note(`${process} has removed ${id}${isCurrent ? '' : ', late'}`);
    if (isCurrent && before !== undefined && this.etcd.spareVoters() === undefined)
      this.broken = new Violation(`${process} has removed ${id}, and the quorum with it`);
  }

  async #onRemovedBackups(process: string, names: readonly string[]): Promise<void> {
    for (const name of names) {
      this.schedule.note(`${process} has removed the backup ${name}`);
      try {
        this.promises.checkRemovedBackup(name);
      } catch (error) {
        if (!(error instanceof Violation)) throw error;
        this.broken = error;
      }
    }
  }

  #storeFault(process: string, what: string): StoreFault {
    if (!this.isHarmful) return 'none';
    if (DECIDES.test(what) && this.#random.chance(0.02)) {
      this.schedule.note(`${process} is paused after: ${withoutTokens(what)}`);
      this.schedule.pause(process);
    }
    if (!this.#random.chance(0.01)) return 'none';
    const fault = this.#random.chance(0.5) ? 'refused' : 'answer lost';
    this.schedule.note(`${process} ${withoutTokens(what)}: ${fault}`);
    return fault;
  }
}

/** Tokens are random whatever the seed is. */
function withoutTokens(text: string): string {
  return text.replaceAll(/[0-9a-f]{32}/g, 'T');
}

function shortened(fields: object = {}): string {
  const messages = (_: string, value: unknown): unknown => (value instanceof Error ? value.message : value);
  return withoutTokens(JSON.stringify(fields, messages));
}
