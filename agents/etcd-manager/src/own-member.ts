import { Wake } from '@kopsctl/agent/wake.ts';
import { Wakes } from '@kopsctl/agent/wakes.ts';

/** The state of this machine's member, as its loops see it. */
export interface OwnState {
  readonly member: string;
  /** The last decision, e.g. `nothing: serving`. */
  readonly decision: string;
  readonly hasData: boolean;
  readonly hasServed: boolean;
  /** Its data was written by etcd 2. */
  readonly holdsEtcd2: boolean;
  readonly problem?: string;
  /** See `MemberStatus.dataVersion`. */
  readonly dataVersion?: string;
  /** See `MemberStatus.etcdStart`. */
  readonly etcdStart?: string;
  /** Its etcd sees a leader. */
  readonly isWell: boolean;
  /** This member is not healthy, and the others had a leader when they were last asked. */
  readonly othersLead: boolean;
}

/** A change wakes the waiter; this only limits one wait. */
const LOOK_MS = 60_000;
/** `reconcileCluster` looks every 10 seconds. If it has not for this long, the volume hangs. */
const STALE_MS = 60_000;

/** The latest state of this machine's member; none while its volume is not there. Only `reconcileCluster` writes it. */
export class OwnMember {
  #state: OwnState | undefined;
  #lookedMs = Number.NEGATIVE_INFINITY;
  readonly #wakes = new Wakes();

  get state(): OwnState | undefined {
    return this.#state;
  }

  /** Whether the etcd was healthy at a look that was not long ago. @param nowMs the monotonic clock */
  isWell(nowMs: number): boolean {
    return this.#state?.isWell === true && nowMs - this.#lookedMs < STALE_MS;
  }

  get member(): string | undefined {
    return this.#state?.member;
  }

  /** Resolves with the member's name once the volume that holds it is mounted. */
  async known(signal: AbortSignal): Promise<string> {
    using wake = new Wake();
    this.ringOnChange(wake);
    while (this.#state === undefined) await wake.wait(LOOK_MS, signal);
    return this.#state.member;
  }

  /** Rings `wake` whenever the state changes. */
  ringOnChange(wake: Wake): void {
    this.#wakes.add(wake);
  }

  /** @param nowMs the monotonic clock */
  set(state: OwnState, nowMs: number): void {
    this.#lookedMs = nowMs;
    this.#change(state);
  }

  /** The volume is gone, and with it everything that this machine knew about its member. */
  clear(): void {
    this.#change(undefined);
  }

  #change(state: OwnState | undefined): void {
    const isNew = JSON.stringify(state) !== JSON.stringify(this.#state);
    this.#state = state;
    if (isNew) this.#wakes.ring();
  }
}
