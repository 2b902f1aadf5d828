import { isDeepStrictEqual } from 'node:util';
import type { Wake } from '@kopsctl/agent/wake.ts';
import { Wakes } from '@kopsctl/agent/wakes.ts';
import type { NodeDrift } from '@kopsctl/node-plan/drift-report.ts';
import type {
  BootState,
  CertificateState,
  ClockState,
  MachineState,
  VolumeState,
} from '@kopsctl/node-plan/machine-state.ts';

/** Collects the state of all parts of the agent. Each fact has one writer. */
export class StateBoard {
  #state: MachineState;
  #addons: ReadonlyMap<string, boolean> = new Map();
  readonly #wakes = new Wakes();

  constructor(by: MachineState['discovery']['by']) {
    this.#state = { discovery: { by, names: 0 }, volumes: {}, isLeader: false, failures: {} };
  }

  get state(): MachineState {
    return this.#state;
  }

  /** Whether each addon is applied; empty when another machine leads. */
  get addons(): ReadonlyMap<string, boolean> {
    return this.#addons;
  }

  ringOnChange(wake: Wake): void {
    this.#wakes.add(wake);
  }

  names(names: number): void {
    this.#change({ discovery: { ...this.#state.discovery, names } });
  }

  members(members: number): void {
    this.#change({ discovery: { ...this.#state.discovery, members } });
  }

  volume(etcdCluster: string, volume: VolumeState): void {
    this.#change({ volumes: { ...this.#state.volumes, [etcdCluster]: volume } });
  }

  leads(isLeader: boolean): void {
    if (!isLeader) this.#addons = new Map();
    this.#change({ isLeader });
  }

  addonsAre(addons: ReadonlyMap<string, boolean>): void {
    this.#addons = addons;
  }

  boot(boot: BootState): void {
    this.#change({ boot });
  }

  drift(drift: NodeDrift): void {
    this.#change({ drift });
  }

  units(units: Readonly<Record<string, string>>): void {
    this.#change({ units });
  }

  certificates(certificates: Readonly<Record<string, CertificateState>>): void {
    this.#change({ certificates });
  }

  clock(clock: ClockState): void {
    this.#change({ clock });
  }

  /** The failure of a part; undefined once it works again. */
  failure(part: string, message: string | undefined): void {
    const { [part]: _before, ...failures } = this.#state.failures;
    this.#change({ failures: message === undefined ? failures : { ...failures, [part]: message } });
  }

  #change(change: Partial<MachineState>): void {
    const changed = { ...this.#state, ...change };
    if (isDeepStrictEqual(changed, this.#state)) return;
    this.#state = changed;
    this.#wakes.ring();
  }
}
