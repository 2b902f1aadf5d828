import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { AddressPool } from './address-pool.ts';
import { type ClusterPaths, machinePaths } from './cluster-paths.ts';
import { connectMachine, disconnectMachine } from './cluster-network.ts';
import { openConsoleLog } from './console-log.ts';
import { readRecords, writeJsonFile } from './json-file.ts';
import { writeLayerFiles } from './layer-files.ts';
import type { MachineDriver, MachineExit, MachineStart, RunningMachine } from './machine-driver.ts';
import { type MachineRecord, type MachineSpec, type MachineView, machineRecordSchema } from './records.ts';
import type { Revisions } from './revisions.ts';
import { hashUserData, seedFiles } from './seed.ts';

/** A graceful stop takes the machine's 10 seconds for containers and a little; then the plug is pulled. */
const STOP_WITHIN_MS = 20_000;

/** What a run of the supervisor knows about a machine beyond its record. */
interface Live {
  readonly running?: RunningMachine;
  readonly stopping: boolean;
  readonly boots: number;
  readonly lastExit?: string;
  /** Ends when the machine is down and all the kernel held for it is free. */
  readonly down: Promise<void>;
}

export interface MachinesEnv {
  readonly paths: ClusterPaths;
  readonly pool: AddressPool;
  /** The image of new machines. */
  layers(): readonly string[];
  readonly driver: MachineDriver;
  readonly revisions: Revisions;
  readonly say: (line: string) => void;
  /** Called at every start, reboots included. */
  readonly onStarted: (name: string, running: RunningMachine) => Promise<void>;
  /** Called when a machine has gone down; a reboot is not that. */
  readonly onDown: (name: string) => Promise<void>;
}

/** The cluster's machines: each has one record on disk and at most one run. The only writer of both. */
export class Machines {
  readonly #env: MachinesEnv;
  readonly #records: Map<string, MachineRecord>;
  readonly #live = new Map<string, Live>();

  private constructor(env: MachinesEnv, records: ReadonlyMap<string, MachineRecord>) {
    this.#env = env;
    this.#records = new Map(records);
  }

  /** Reads the records; nothing runs yet. */
  static async open(env: MachinesEnv): Promise<Machines> {
    return new Machines(env, await readRecords(env.paths.machines, 'machine.json', machineRecordSchema));
  }

  /** Starts every machine that was running when the former supervisor ended. */
  async resume(): Promise<void> {
    for (const record of this.#records.values()) if (record.wanted === 'running') await this.start(record.name);
  }

  list(): readonly MachineView[] {
    return [...this.#records.values()].map((record) => this.#view(record)).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  address(name: string): string {
    return this.#record(name).address;
  }

  running(name: string): RunningMachine {
    const running = this.#live.get(name)?.running;
    if (running === undefined)
      throw missing(name, this.#records.has(name) ? 'it is stopped' : 'there is no such machine');
    return running;
  }

  /** Makes a machine and starts it. Repeating it with the same user-data changes nothing. */
  async create(spec: MachineSpec): Promise<MachineView> {
    const { userData, ...rest } = spec;
    const userDataHash = hashUserData(userData);
    const existing = this.#records.get(spec.name);
    if (existing !== undefined) {
      if (existing.userDataHash !== userDataHash)
        throw missing(spec.name, 'a machine of that name exists with other user-data');
      return this.#view(existing);
    }
    const taken = new Set([...this.#records.values()].map((record) => record.address));
    const record: MachineRecord = {
      ...rest,
      userDataHash,
      layers: [...this.#env.layers()],
      address: this.#env.pool.next(taken),
      machineId: randomBytes(16).toString('hex'),
      wanted: 'running',
      createdMs: Date.now(),
    };
    this.#records.set(record.name, record);
    try {
      const paths = machinePaths(this.#env.paths, record.name);
      // What a crash left of a creation that never got its record.
      await rm(paths.root, { recursive: true, force: true });
      await mkdir(paths.root, { recursive: true, mode: 0o700 });
      await writeLayerFiles(paths.seed, seedFiles(record, userData, this.#env.pool.gateway));
      await writeJsonFile(paths.record, record);
    } catch (error) {
      this.#records.delete(record.name);
      throw error;
    }
    await this.start(record.name);
    return this.#view(record);
  }

  /** Starts a stopped machine; a running one is left alone. */
  async start(name: string): Promise<void> {
    const record = this.#record(name);
    const live = this.#live.get(name);
    const state = stateOf(live);
    if (state === 'starting' || state === 'running') return;
    await live?.down;
    await this.#want(record, 'running');
    const start: MachineStart = {
      record,
      paths: machinePaths(this.#env.paths, name),
      layers: [machinePaths(this.#env.paths, name).seed, ...record.layers],
      networkNamespace: await connectMachine(this.#env.pool, name, record.address),
    };
    const console = openConsoleLog(start.paths.console);
    const down = Promise.withResolvers<void>();
    this.#live.set(name, { stopping: false, boots: live?.boots ?? 0, down: down.promise });
    const run = async (): Promise<void> => {
      let exit: MachineExit = { kind: 'reboot' };
      try {
        while (exit.kind === 'reboot') {
          const running = await this.#env.driver.start(start, (chunk) => console.write(chunk));
          this.#update(name, { running, boots: (this.#live.get(name)?.boots ?? 0) + 1 });
          await this.#env.onStarted(name, running);
          exit = await running.exited;
          this.#env.say(`machine ${name}: ${describeExit(exit)}`);
        }
      } catch (error) {
        exit = { kind: 'failure', why: messageOf(error) };
        const running = this.#live.get(name)?.running;
        running?.kill();
        await running?.exited;
        this.#env.say(`machine ${name}: cannot run: ${exit.why}`);
      }
      const { running: _gone, ...last } = this.#live.get(name) ?? { boots: 0 };
      this.#live.set(name, { ...last, stopping: false, lastExit: describeExit(exit), down: down.promise });
      console.close();
      await this.#env.onDown(name);
      await disconnectMachine(name, record.address);
      await this.#env.driver.release(start);
      this.#env.revisions.changed();
    };
    const started = run();
    started.then(down.resolve, (error: unknown) => {
      this.#env.say(`machine ${name}: clean-up failed: ${messageOf(error)}`);
      down.resolve();
    });
    this.#env.revisions.changed();
  }

  /** Shuts the machine down and waits until it is; after 20 seconds the plug is pulled. */
  async stop(name: string): Promise<void> {
    await this.#want(this.#record(name), 'stopped');
    const live = this.#live.get(name);
    if (live?.running === undefined) return;
    this.#update(name, { stopping: true });
    this.#env.revisions.changed();
    await live.running.powerOff().catch(() => live.running?.kill());
    const late = new AbortController();
    await Promise.race([live.down, sleep(STOP_WITHIN_MS, undefined, { signal: late.signal }).catch(() => undefined)]);
    late.abort();
    live.running.kill();
    await live.down;
  }

  async reboot(name: string): Promise<void> {
    await this.running(name).reboot();
  }

  /** Pulls the plug and removes all of the machine. Its volumes stay. Absent is fine. */
  async terminate(name: string): Promise<void> {
    const record = this.#records.get(name);
    if (record === undefined) return;
    await this.#want(record, 'stopped');
    const live = this.#live.get(name);
    live?.running?.kill();
    await live?.down;
    await rm(machinePaths(this.#env.paths, name).root, { recursive: true, force: true });
    this.#live.delete(name);
    this.#records.delete(name);
    this.#env.revisions.changed();
  }

  #record(name: string): MachineRecord {
    const record = this.#records.get(name);
    if (record === undefined) throw missing(name, 'there is no such machine');
    return record;
  }

  #view(record: MachineRecord): MachineView {
    const live = this.#live.get(record.name);
    const current = this.#records.get(record.name) ?? record;
    const { boots = 0, lastExit } = live ?? {};
    return { ...current, state: stateOf(live), boots, ...(lastExit === undefined ? {} : { lastExit }) };
  }

  #update(name: string, change: Partial<Live>): void {
    const live = this.#live.get(name);
    if (live === undefined) throw new Error(`machine ${name} has no run`);
    this.#live.set(name, { ...live, ...change });
    this.#env.revisions.changed();
  }

  async #want(record: MachineRecord, wanted: 'running' | 'stopped'): Promise<void> {
    if (record.wanted === wanted) return;
    const changed = { ...record, wanted };
    this.#records.set(record.name, changed);
    await writeJsonFile(machinePaths(this.#env.paths, record.name).record, changed);
  }
}

function stateOf(live: Live | undefined): MachineView['state'] {
  if (live === undefined || live.lastExit !== undefined) return 'stopped';
  if (live.running === undefined) return 'starting';
  return live.stopping ? 'stopping' : 'running';
}

function describeExit(exit: MachineExit): string {
  if (exit.kind === 'failure') return exit.why;
  return exit.kind === 'reboot' ? 'rebooting' : 'powered off';
}

function missing(name: string, why: string): ActionableError {
  return new ActionableError({ what: `use the machine ${name}`, why, next: 'list them with `kopsctl get instances`' });
}
