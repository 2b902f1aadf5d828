import { CONTAINERD_SOCKET } from '../node-paths.ts';
import type { Cluster } from '../cluster.ts';
import type { InstanceGroup } from '../instance-group.ts';
import { fault, type Fault } from './fault.ts';

/** Refuses an address of containerd that is not a path: kubelet has it after `unix://`. */
export function* validateContainerdAddress({ spec }: Cluster, groups: readonly InstanceGroup[]): Iterable<Fault> {
  yield* faultsOf(spec.containerd?.address);
  for (const { spec: group, metadata } of groups) {
    for (const one of faultsOf(group.containerd?.address)) yield { ...one, instanceGroup: metadata.name };
  }
}

function* faultsOf(address: string | undefined): Iterable<Fault> {
  if (address === undefined || /^(\/[\w.-]+)+$/.test(address)) return;
  yield fault(
    'spec.containerd.address',
    `'${address}' is not the path of a socket`,
    `write it like ${CONTAINERD_SOCKET}`,
  );
}
