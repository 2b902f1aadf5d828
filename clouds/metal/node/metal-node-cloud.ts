import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { CloudMachine, CloudVolume, NodeCloud } from '@kopsctl/node-cloud/node-cloud.ts';
import { type Watch, watchByAsking } from '@kopsctl/node-cloud/watch-by-asking.ts';
import type { HostRecord } from '@kopsctl/node-identity/host-record.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { readHostFacts } from './host-facts.ts';
import { knownHosts } from './known-hosts.ts';

/** Where no cloud lists machines, the state store does. A worker may not read it, and asks for nothing but its facts. */
export function createMetalNodeCloud(
  cluster: string,
  openStore: () => Promise<StateStore>,
  readFacts: typeof readHostFacts = readHostFacts,
): NodeCloud {
  const watch = <T>(of: (hosts: readonly HostRecord[]) => readonly T[]): Watch<T> => {
    let hosts: ReturnType<typeof knownHosts> | undefined;
    return watchByAsking(
      async (signal) => of(await (hosts ??= knownHosts(cluster, await openStore())).read(signal)),
      Math.random,
    );
  };
  const machines = watch((hosts) => hosts.map(machineOf));
  const volumes = watch((hosts) => hosts.flatMap(volumesOf));
  return {
    facts: () => readFacts(),
    machines: (after, signal) => machines.newerThan(after, signal),
    volumes: (after, signal) => volumes.newerThan(after, signal),
    // Partitions stay where they are: each is attached to its machine for good.
    attachVolume: async (id) => {
      throw new ActionableError({
        what: `attach the volume ${id}`,
        why: 'it is a partition of another machine',
        next: 'enroll a machine that has the partition',
      });
    },
    detachVolume: async () => undefined,
  };
}

const machineOf = ({ node, enrolledMs, instanceId, address, role, instanceGroup }: HostRecord): CloudMachine => ({
  instanceId,
  nodeName: node,
  address,
  externalAddresses: [],
  role,
  instanceGroup,
  // Nobody says whether it runs; an authority finds out when it calls.
  running: true,
  launchedMs: enrolledMs,
});

const volumesOf = ({ node, instanceId, address, zone, volumes }: HostRecord): readonly CloudVolume[] =>
  volumes.map(({ name, device, tags }) => ({
    id: `${node}/${name}`,
    name,
    // Nobody asks for the size of the partition.
    sizeGiB: 0,
    zone,
    tags,
    attachedTo: { instanceId, address, device },
  }));
