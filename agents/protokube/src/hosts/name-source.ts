import type { CloudMachine, CloudVolume } from '@kopsctl/clouds/node-cloud.ts';
import type { ProtokubeConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { Wake } from '@kopsctl/agent/wake.ts';
import type { Latest } from '../latest.ts';
import { type HostRecord, hostRecords } from './plan-hosts.ts';

/** Where the names come from that this machine has to know. */
export interface NameSource {
  ringOnChange(wake: Wake): void;
  /** Undefined until something is known: the names of the last boot are the best that there are. */
  records(): readonly HostRecord[] | undefined;
}

/** Names as the cloud's list of machines and volumes gives them. */
export function cloudNames(
  config: ProtokubeConfig,
  machines: Latest<CloudMachine>,
  volumes: Latest<CloudVolume> | undefined,
): NameSource {
  return {
    ringOnChange(wake) {
      machines.ringOnChange(wake);
      volumes?.ringOnChange(wake);
    },
    records() {
      const known = volumes === undefined ? [] : volumes.items;
      return machines.items === undefined || known === undefined
        ? undefined
        : hostRecords(config, machines.items, known);
    },
  };
}

/** Names as they were last heard of; whoever hears of them is the one writer. */
export class LatestNames implements NameSource {
  #records: readonly HostRecord[] | undefined;
  readonly #wakes = new Set<Wake>();

  ringOnChange(wake: Wake): void {
    this.#wakes.add(wake);
  }

  records(): readonly HostRecord[] | undefined {
    return this.#records;
  }

  set(records: readonly HostRecord[]): void {
    this.#records = records;
    for (const wake of this.#wakes) wake.ring();
  }
}
