import { Wake } from '@kopsctl/agent/wake.ts';

/** What is known of this machine's member, for those who tell others of it. */
export interface OwnState {
  readonly member: string;
  /** The last decision, in words. */
  readonly decision: string;
  readonly hasData: boolean;
  readonly hasServed: boolean;
  /** Its data is of etcd 2. */
  readonly holdsEtcd2: boolean;
  readonly problem?: string;
  /** Its etcd sees a leader. */
  readonly isWell: boolean;
  /** The other members have a leader though it is not well, as far as they were asked. */
  readonly othersLead: boolean;
}

/** A bell rings when there is news; this only bounds a wait. */
const LOOK_MS = 60_000;

/** The newest state of this machine's member. Written by `reconcileCluster` alone. */
export class OwnMember {
  #state: OwnState | undefined;
  readonly #wakes = new Set<Wake>();

  get state(): OwnState | undefined {
    return this.#state;
  }

  get member(): string | undefined {
    return this.#state?.member;
  }

  /** Resolves with the member's name once the volume that says it is mounted. */
  async known(signal: AbortSignal): Promise<string> {
    const wake = new Wake();
    this.ringOnChange(wake);
    while (this.#state === undefined) await wake.wait(LOOK_MS, signal);
    return this.#state.member;
  }

  ringOnChange(wake: Wake): void {
    this.#wakes.add(wake);
  }

  set(state: OwnState): void {
    const isNew = JSON.stringify(state) !== JSON.stringify(this.#state);
    this.#state = state;
    if (isNew) for (const wake of this.#wakes) wake.ring();
  }
}
