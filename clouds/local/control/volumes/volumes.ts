import { closeSync, openSync } from 'node:fs';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { ClusterPaths } from '../records/cluster-paths.ts';
import { readRecords, writeJsonFile } from '../records/json-file.ts';
import type { RunningMachine } from '../machines/machine-driver.ts';
import { type VolumeSpec, type VolumeView, volumeSpecSchema } from '../records/records.ts';
import type { Revisions } from '../supervisor/revisions.ts';
import { run } from '../processes/run.ts';

interface Attachment {
  readonly machine: string;
  readonly address: string;
  readonly device: string;
  readonly numbers: readonly [number, number];
  /**
   * Keeps the loop device open. The device is freed when its last user closes it: this process or the mount of the
   * machine.
   */
  readonly fd: number;
}

export interface VolumesEnv {
  readonly paths: ClusterPaths;
  readonly revisions: Revisions;
}

export interface AttachTo {
  readonly name: string;
  readonly address: string;
  readonly running: RunningMachine;
}

const BUSY = 'it is being attached or detached';

/**
 * The kernel ends a killed machine's mounts when its last process has gone, and writes back what etcd has written: half a
 * second, and on a host with a load of 30 more than ten.
 */
const RELEASED_WITHIN_MS = 60_000;

/** The volumes of the cluster: sparse files, attached to machines as block devices, each to one machine at a time. */
export class Volumes {
  readonly #env: VolumesEnv;
  readonly #specs: Map<string, VolumeSpec>;
  readonly #attachments = new Map<string, Attachment>();
  /** Volumes that are being attached or detached. */
  readonly #busy = new Set<string>();
  /** `<machine> <device>` of attachments in progress. */
  readonly #reservedDevices = new Set<string>();

  private constructor(env: VolumesEnv, specs: ReadonlyMap<string, VolumeSpec>) {
    this.#env = env;
    this.#specs = new Map(specs);
  }

  static async open(env: VolumesEnv): Promise<Volumes> {
    return new Volumes(env, await readRecords(env.paths.volumes, 'volume.json', volumeSpecSchema));
  }

  list(): readonly VolumeView[] {
    return [...this.#specs.values()].sort((a, b) => (a.name < b.name ? -1 : 1)).map((spec) => this.#view(spec));
  }

  /** Creates an empty volume. Repeating it changes nothing. */
  async create(spec: VolumeSpec): Promise<VolumeView> {
    const existing = this.#specs.get(spec.name);
    if (existing !== undefined) return this.#view(existing);
    const folder = join(this.#env.paths.volumes, spec.name);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = await open(imageOf(folder), 'a', 0o600);
    try {
      await file.truncate(Math.round(spec.sizeGiB * 2 ** 30));
    } finally {
      await file.close();
    }
    await writeJsonFile(join(folder, 'volume.json'), spec);
    this.#specs.set(spec.name, spec);
    this.#env.revisions.changed();
    return this.#view(spec);
  }

  /** Removes a volume and its data. A volume that does not exist is not an error; an attached volume is refused. */
  async remove(name: string): Promise<void> {
    if (!this.#specs.has(name)) return;
    const held = this.#attachments.get(name);
    if (held !== undefined) throw refused('delete', name, `the machine ${held.machine} holds it`);
    if (this.#busy.has(name)) throw refused('delete', name, BUSY);
    this.#specs.delete(name);
    const folder = join(this.#env.paths.volumes, name);
    // Without its record the volume no longer exists, so a crash in between leaves no volume without data.
    await rm(join(folder, 'volume.json'));
    await rm(folder, { recursive: true, force: true });
    this.#env.revisions.changed();
  }

  /** Attaches a volume and returns its device in the machine, also if it is already attached there. */
  async attach(name: string, to: AttachTo): Promise<{ readonly device: string }> {
    if (!this.#specs.has(name)) throw refused('attach', name, 'there is no such volume');
    const held = this.#attachments.get(name);
    if (held?.machine === to.name) return { device: held.device };
    if (held !== undefined) throw refused('attach', name, `the machine ${held.machine} holds it`);
    if (this.#busy.has(name)) throw refused('attach', name, BUSY);
    this.#busy.add(name);
    try {
      const device = this.#freeDevice(to.name);
      const reserved = `${to.name} ${device}`;
      // Two volumes may be attached to a machine at the same time, so the name is reserved before any await.
      this.#reservedDevices.add(reserved);
      try {
        const loop = await this.#openLoop(name);
        try {
          await to.running.addDevice(basename(device), `local-${name}`, ...loop.numbers);
        } catch (error) {
          closeSync(loop.fd);
          throw error;
        }
        this.#attachments.set(name, { machine: to.name, address: to.address, device, ...loop });
      } finally {
        this.#reservedDevices.delete(reserved);
      }
    } finally {
      this.#busy.delete(name);
    }
    this.#env.revisions.changed();
    return { device: this.#attachments.get(name)?.device ?? '' };
  }

  /** Detaches a volume from a machine that has unmounted it. A volume that the machine does not hold is left alone. */
  async detach(name: string, from: Pick<AttachTo, 'name' | 'running'>): Promise<void> {
    const held = this.#attachments.get(name);
    if (held?.machine !== from.name) return;
    if (this.#busy.has(name)) throw refused('detach', name, BUSY);
    this.#busy.add(name);
    try {
      // The device number may soon belong to another volume, which this machine must not find under the old name.
      await from.running.removeDevice(basename(held.device), `local-${name}`);
      closeSync(held.fd);
      this.#attachments.delete(name);
      await this.#loopGone(name);
    } finally {
      this.#busy.delete(name);
    }
    this.#env.revisions.changed();
  }

  /** Adds the devices of attached volumes to a machine that has started again: a reboot detaches nothing. */
  async showAll(machine: string, running: RunningMachine): Promise<void> {
    for (const [name, held] of this.#attachments) {
      if (held.machine === machine) await running.addDevice(basename(held.device), `local-${name}`, ...held.numbers);
    }
  }

  /** Detaches all volumes from a machine whose run has ended. One that is still in use keeps no other from being freed. */
  async releaseAll(machine: string): Promise<void> {
    const own = [...this.#attachments].filter(([, held]) => held.machine === machine);
    const released = await Promise.allSettled(own.map(([name, { fd }]) => this.#release(name, fd)));
    const failure = released.find(({ status }) => status === 'rejected');
    if (failure?.status === 'rejected') throw failure.reason;
  }

  async #release(name: string, fd: number): Promise<void> {
    this.#busy.add(name);
    this.#attachments.delete(name);
    closeSync(fd);
    try {
      await this.#loopGone(name);
    } finally {
      this.#busy.delete(name);
    }
    this.#env.revisions.changed();
  }

  #view(spec: VolumeSpec): VolumeView {
    const held = this.#attachments.get(spec.name);
    if (held === undefined) return spec;
    return { ...spec, attachedTo: { machine: held.machine, address: held.address, device: held.device } };
  }

  #freeDevice(machine: string): string {
    const taken = new Set(
      [...this.#attachments.values()].flatMap((held) => (held.machine === machine ? [held.device] : [])),
    );
    // Begins with the letter that clouds use for additional volumes, like kops on AWS.
    const free = Array.from('uvwxyzfghijklmnopqrst', (letter) => `/dev/xvd${letter}`).find(
      (device) => !taken.has(device) && !this.#reservedDevices.has(`${machine} ${device}`),
    );
    if (free === undefined) throw refused('attach', machine, 'the machine has no free device name');
    return free;
  }

  /** Checks for an existing device first, because `losetup --nooverlap` would return a device in use. */
  async #openLoop(name: string): Promise<{ readonly fd: number; readonly numbers: readonly [number, number] }> {
    const image = imageOf(join(this.#env.paths.volumes, name));
    const what = `attach the volume ${name}`;
    const before = await run(what, 'losetup', ['--associated', image]);
    if (before !== '') throw refused('attach', name, `the host still uses its file: ${before}`);
    const device = (await run(what, 'losetup', ['--find', '--show', image])).trim();
    const fd = openSync(device, 'r');
    // A device in use is not freed, but marked to be freed when the last user closes it.
    await run(what, 'losetup', ['--detach', device]);
    const numbers = await readFile(`/sys/class/block/${basename(device)}/dev`, 'utf8');
    const [major = 7, minor = 0] = numbers.trim().split(':').map(Number);
    return { fd, numbers: [major, minor] };
  }

  async #loopGone(name: string): Promise<void> {
    const image = imageOf(join(this.#env.paths.volumes, name));
    const deadline = Date.now() + RELEASED_WITHIN_MS;
    while ((await run(`release the volume ${name}`, 'losetup', ['--associated', image])) !== '') {
      if (Date.now() > deadline) throw refused('release', name, 'a process on the host still uses it');
      await sleep(30);
    }
  }
}

function imageOf(folder: string): string {
  return join(folder, 'volume.img');
}

function refused(verb: string, name: string, why: string): ActionableError {
  return new ActionableError({
    what: `${verb} the volume ${name}`,
    why,
    next: '`kopsctl get nodes` shows in the column VOLUMES which machine holds it',
  });
}
