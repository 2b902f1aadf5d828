import type { PodRanges } from '@kopsctl/node-cloud/node-cloud.ts';

/** Another leader, or a person, may have had a range assigned to a machine that had none. */
export const LOOK_AGAIN_MS = 60_000;

interface Known {
  readonly ranges: readonly string[];
  readonly lookedMs: number;
}

/** What the cloud has for pods on its machines. A machine keeps its ranges for as long as it exists. */
export class KnownRanges {
  readonly #cloud: PodRanges;
  readonly #nowMs: () => number;
  readonly #known = new Map<string, Known>();

  constructor(cloud: PodRanges, nowMs = () => performance.now()) {
    this.#cloud = cloud;
    this.#nowMs = nowMs;
  }

  /** None for a machine that had none when it was looked up. */
  of(instanceId: string): readonly string[] {
    return this.#known.get(instanceId)?.ranges ?? [];
  }

  /** Asks the cloud for what is not known of these machines, and forgets all others. */
  async lookUp(instanceIds: readonly string[], signal: AbortSignal): Promise<void> {
    const wanted = new Set(instanceIds);
    for (const gone of this.#known.keys()) if (!wanted.has(gone)) this.#known.delete(gone);
    const unknown = instanceIds.filter((instanceId) => this.#isDue(instanceId));
    if (unknown.length === 0) return;
    const found = await this.#cloud.list(unknown, signal);
    for (const instanceId of unknown) this.#note(instanceId, found.get(instanceId) ?? []);
  }

  /** @throws if the cloud gives it none */
  async assign(instanceId: string, signal: AbortSignal): Promise<void> {
    this.#note(instanceId, [await this.#cloud.assign(instanceId, signal)]);
  }

  #isDue(instanceId: string): boolean {
    const known = this.#known.get(instanceId);
    return known === undefined || (known.ranges.length === 0 && this.#nowMs() - known.lookedMs >= LOOK_AGAIN_MS);
  }

  #note(instanceId: string, ranges: readonly string[]): void {
    this.#known.set(instanceId, { ranges, lookedMs: this.#nowMs() });
  }
}
