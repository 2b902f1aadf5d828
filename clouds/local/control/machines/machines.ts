import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@kopsctl/agent/log.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { AddressPool } from '../network/address-pool.ts';
import { connectMachine, disconnectMachine } from '../network/cluster-network.ts';
import { type ClusterPaths, machinePaths } from '../records/cluster-paths.ts';
import { readRecords, writeJsonFile } from '../records/json-file.ts';
import { linkContainerImages } from '../image/link-container-images.ts';
import { writeLayerFiles } from '../image/layer-files.ts';
import type { MachineDriver, MachineStart, RunningMachine } from './machine-driver.ts';
import { MachineRun, describeExit } from './machine-run.ts';
import { type MachineRecord, type MachineSpec, type MachineView, machineRecordSchema } from '../records/records.ts';
import type { Revisions } from '../supervisor/revisions.ts';
import { hashUserData, seedFiles } from './seed.ts';

/**
 * A graceful stop takes the 10 seconds that machines give their containers, and a little more; then the machine is
 * killed.
 */
const STOP_WITHIN_MS = 20_000;

export interface MachinesEnv {
  readonly paths: ClusterPaths;
  readonly pool: AddressPool;
  /** The image of new machines. */
  layers(): readonly string[];
  /** The assets folder for machines that are started from now on. */
  assetsDir(): string | undefined;
  readonly driver: MachineDriver;
  readonly revisions: Revisions;
  readonly log: Log;
  /** Called at every start, including reboots. */
  readonly onStarted: (name: string, running: RunningMachine) => Promise<void>;
  /** Called when a machine is down; not called for a reboot. */
  readonly onDown: (name: string) => Promise<void>;
}

/** The machines of the cluster. Each has one record on disk and at most one run, and only this class writes them. */
export class Machines {
  readonly #env: MachinesEnv;
  readonly #records: Map<string, MachineRecord>;
  #lastAddress: string | undefined;
  readonly #runs = new Map<string, MachineRun>();
  /** The latest operation on each machine: operations on a machine run one at a time, in order. */
  readonly #turns = new Map<string, Promise<unknown>>();

  private constructor(env: MachinesEnv, records: ReadonlyMap<string, MachineRecord>) {
    this.#env = env;
    this.#records = new Map(records);
  }

  /** Reads the records; starts nothing. */
  static async open(env: MachinesEnv): Promise<Machines> {
    return new Machines(env, await readRecords(env.paths.machines, 'machine.json', machineRecordSchema));
  }

  /** Starts every machine that was running when the previous supervisor ended. */
  async resume(): Promise<void> {
    const wanted = [...this.#records.values()].filter((record) => record.wanted === 'running');
    const results = await Promise.allSettled(wanted.map((record) => this.start(record.name)));
    for (const result of results) {
      if (result.status === 'rejected')
        this.#env.log.error('a machine was not started again', { error: result.reason });
    }
  }

  list(): readonly MachineView[] {
    return [...this.#records.values()].map((record) => this.#view(record)).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  address(name: string): string {
    return this.#record(name).address;
  }

  running(name: string): RunningMachine {
    const running = this.#runs.get(name)?.running;
    if (running === undefined)
      throw unusable(name, this.#records.has(name) ? 'it is stopped' : 'there is no such machine');
    return running;
  }

  /** Creates and starts a machine. Repeating it with the same user data changes nothing. */
  create(spec: MachineSpec): Promise<MachineView> {
    return this.#inTurn(spec.name, async () => {
      const existing = this.#records.get(spec.name);
      if (existing !== undefined && existing.userDataHash !== hashUserData(spec.userData)) {
        throw unusable(spec.name, 'a machine of that name exists with different user data');
      }
      const record = existing ?? (await this.#make(spec));
      await this.#start(record);
      return this.#view(record);
    });
  }

  /**
   * Notes that a machine has become what this user data would make. Its seed stays as it is: cloud-init has run it, runs none
   * twice, and the files of a mounted layer must not change.
   */
  renew(name: string, userData: string): Promise<void> {
    return this.#inTurn(name, () => this.#change(this.#record(name), { userDataHash: hashUserData(userData) }));
  }

  /** Starts a stopped machine; does nothing if it is running. */
  start(name: string): Promise<void> {
    return this.#inTurn(name, () => this.#start(this.#record(name)));
  }

  /** Shuts the machine down and waits until it is down; kills it if that takes longer than `withinMs`. */
  stop(name: string, withinMs: number = STOP_WITHIN_MS): Promise<void> {
    return this.#inTurn(name, async () => {
      await this.#want(this.#record(name), 'stopped');
      const run = this.#runs.get(name);
      if (run?.running === undefined) return;
      run.isStopping = true;
      this.#env.revisions.changed();
      const { running } = run;
      // A machine that cannot be signalled is just starting or ending.
      await running.powerOff().catch(() => running.kill());
      const isDown = await Promise.race([run.down.then(() => true), sleep(withinMs, false, { ref: false })]);
      if (!isDown) running.kill();
      await run.down;
    });
  }

  async reboot(name: string): Promise<void> {
    await this.running(name).reboot();
  }

  /** Kills a machine and removes it. Its volumes are kept. A machine that does not exist is not an error. */
  async terminate(name: string): Promise<void> {
    // A graceful stop in progress must not delay this.
    this.#runs.get(name)?.running?.kill();
    await this.#inTurn(name, async () => {
      const record = this.#records.get(name);
      if (record === undefined) return;
      await this.#want(record, 'stopped');
      const run = this.#runs.get(name);
      run?.running?.kill();
      await run?.down;
      const { record: file, root } = machinePaths(this.#env.paths, name);
      // Without its record the machine no longer exists, so a crash in between leaves nothing that could be started.
      await rm(file);
      await rm(root, { recursive: true, force: true });
      this.#runs.delete(name);
      this.#records.delete(name);
      this.#env.revisions.changed();
    });
  }

  /** Writes the seed of a new machine and, as the last step, its record. */
  async #make(spec: MachineSpec): Promise<MachineRecord> {
    const { userData, ...rest } = spec;
    const taken = new Set([...this.#records.values()].map((record) => record.address));
    const record: MachineRecord = {
      ...rest,
      userDataHash: hashUserData(userData),
      layers: [...this.#env.layers()],
      address: (this.#lastAddress = this.#env.pool.next(taken, this.#lastAddress)),
      machineId: randomBytes(16).toString('hex'),
      wanted: 'running',
      createdMs: Date.now(),
    };
    // Listed immediately, because its address is taken from now on.
    this.#records.set(record.name, record);
    try {
      const paths = machinePaths(this.#env.paths, record.name);
      // Remains of a creation that crashed before it wrote its record.
      await rm(paths.root, { recursive: true, force: true });
      await mkdir(paths.root, { recursive: true, mode: 0o700 });
      await writeLayerFiles(paths.seed, seedFiles(record, userData, this.#env.pool.gateway));
      if (record.containerImages !== undefined)
        await linkContainerImages(record.containerImages, join(paths.data, 'containerd'));
      await writeJsonFile(paths.record, record);
    } catch (error) {
      this.#records.delete(record.name);
      throw error;
    }
    return record;
  }

  async #start(record: MachineRecord): Promise<void> {
    const { name } = record;
    const { paths, pool, driver, revisions, log, onStarted, onDown } = this.#env;
    const former = this.#runs.get(name);
    if (former !== undefined && former.state !== 'stopped' && former.state !== 'stopping') return;
    await former?.down;
    await this.#want(record, 'running');
    const own = machinePaths(paths, name);
    const assetsDir = this.#env.assetsDir();
    const start: MachineStart = {
      record,
      ...(assetsDir === undefined ? {} : { assetsDir }),
      paths: own,
      layers: [own.seed, ...record.layers],
      networkNamespace: await connectMachine(pool, name, record.address),
    };
    const run = new MachineRun(start, {
      driver,
      log,
      onStarted: (running) => onStarted(name, running),
      onChange: () => revisions.changed(),
      // Processes that are killed still close their connections: without a network, the others would take them for open.
      releases: [() => driver.release(start), () => onDown(name), () => disconnectMachine(name, record.address)],
    });
    this.#runs.set(name, run);
    revisions.changed();
    await run.up;
  }

  #record(name: string): MachineRecord {
    const record = this.#records.get(name);
    if (record === undefined) throw unusable(name, 'there is no such machine');
    return record;
  }

  #view(record: MachineRecord): MachineView {
    const current = this.#records.get(record.name) ?? record;
    const run = this.#runs.get(record.name);
    if (run === undefined) return { ...current, state: 'stopped', boots: 0 };
    const { state, boots, exit } = run;
    return { ...current, state, boots, ...(exit === undefined ? {} : { lastExit: describeExit(exit) }) };
  }

  #want(record: MachineRecord, wanted: 'running' | 'stopped'): Promise<void> {
    return this.#change(record, { wanted });
  }

  async #change(
    { name }: MachineRecord,
    change: Partial<Pick<MachineRecord, 'wanted' | 'userDataHash'>>,
  ): Promise<void> {
    const current = this.#records.get(name);
    if (current === undefined) return;
    const changed = { ...current, ...change };
    if (changed.wanted === current.wanted && changed.userDataHash === current.userDataHash) return;
    // First on disk: a change that could not be written is made again by the next call, and not lost with this process.
    await writeJsonFile(machinePaths(this.#env.paths, name).record, changed);
    this.#records.set(name, changed);
    this.#env.revisions.changed();
  }

  async #inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(name);
    const mine = (async () => {
      await before?.catch(() => undefined);
      return work();
    })();
    this.#turns.set(name, mine);
    try {
      return await mine;
    } finally {
      if (this.#turns.get(name) === mine) this.#turns.delete(name);
    }
  }
}

function unusable(name: string, why: string): ActionableError {
  return new ActionableError({ what: `use the machine ${name}`, why, next: 'list them with `kopsctl get instances`' });
}
