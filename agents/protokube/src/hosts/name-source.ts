import type { CloudMachine, CloudVolume } from '@kopsctl/node-cloud/node-cloud.ts';
import type { ProtokubeConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { Wake } from '@kopsctl/agent/wake.ts';
import { Wakes } from '@kopsctl/agent/wakes.ts';
import type { Latest } from '@kopsctl/node-cloud/latest.ts';
import { type HostRecord, hostRecords } from './plan-hosts.ts';

/** A source of the names that this machine must resolve. */
export interface NameSource {
  ringOnChange(wake: Wake): void;
  /** Undefined until something is known; until then the names of the last boot stay. */
  records(): readonly HostRecord[] | undefined;
}

/** Names from the cloud's list of machines and volumes. A list that is not given adds no names. */
export function cloudNames(
  config: ProtokubeConfig,
  machines: Latest<CloudMachine> | undefined,
  volumes: Latest<CloudVolume> | undefined,
): NameSource {
  return {
    ringOnChange(wake) {
      machines?.ringOnChange(wake);
      volumes?.ringOnChange(wake);
    },
    records() {
      const listed = machines === undefined ? [] : machines.items;
      const known = volumes === undefined ? [] : volumes.items;
      return listed === undefined || known === undefined ? undefined : hostRecords(config, listed, known);
    },
  };
}

/** The names of several sources, once all of them are known: earlier, names of the last boot would be lost. */
export function namesOfAll(sources: readonly NameSource[]): NameSource {
  return {
    ringOnChange(wake) {
      for (const source of sources) source.ringOnChange(wake);
    },
    records() {
      const all = sources.map((source) => source.records());
      return all.includes(undefined) ? undefined : all.flatMap((records) => records ?? []);
    },
  };
}

/** Names that a single writer sets. */
export class LatestNames implements NameSource {
  #records: readonly HostRecord[] | undefined;
  readonly #wakes = new Wakes();

  ringOnChange(wake: Wake): void {
    this.#wakes.add(wake);
  }

  records(): readonly HostRecord[] | undefined {
    return this.#records;
  }

  set(records: readonly HostRecord[]): void {
    this.#records = records;
    this.#wakes.ring();
  }
}
