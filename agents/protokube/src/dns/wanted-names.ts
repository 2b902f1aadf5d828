import type { CloudMachine, CloudVolume } from '@kopsctl/node-cloud/node-cloud.ts';
import { ownerOfCluster } from '@kopsctl/dns/owner-mark.ts';
import type { RecordWishes } from '@kopsctl/dns/plan-records.ts';
import { wantedRecords } from '@kopsctl/dns/wanted-records.ts';
import type { EtcdVolumeMount, ProtokubeConfig, ZoneConfig } from '@kopsctl/node-plan/agent-config.ts';
import { trustedObjects, type ClaimedObjects, type IgnoredNames } from './trusted-objects.ts';
import { tagged } from '../volumes/plan-volumes.ts';

/** Everything that has names. The lists are complete: what they do not contain does not exist. */
export interface NamedThings {
  readonly machines: readonly CloudMachine[];
  readonly volumes: readonly CloudVolume[];
  /** Undefined when another program, such as external-dns, writes the names that objects ask for. */
  readonly objects: ClaimedObjects | undefined;
}

const NO_OBJECTS: ClaimedObjects = { nodes: [], pods: [], services: [], ingresses: [] };

/** The records that the cluster wants in its zone, and the names that do not count because a kubelet may have written them. */
export function wantedNames(
  { cluster, volumes: etcdVolumes }: Pick<ProtokubeConfig, 'cluster' | 'volumes'>,
  { isIpv6Only, apiPublicName, apiInternalName }: ZoneConfig,
  { machines, volumes, objects }: NamedThings,
): { readonly wishes: RecordWishes; readonly ignored: readonly IgnoredNames[] } {
  const running = machines.filter((machine) => machine.running);
  const controlPlanes = running.filter(({ role }) => role === 'ControlPlane');
  const apiServers = running.filter(({ role }) => role === 'ControlPlane' || role === 'APIServer');
  const host = ({ address, externalAddresses }: CloudMachine) => ({ internalAddresses: [address], externalAddresses });
  const holder = (address: string) => controlPlanes.find((machine) => machine.address === address);
  const trusted = trustedObjects(objects ?? NO_OBJECTS, machines, isIpv6Only);
  const wanted = wantedRecords({
    clusterName: cluster,
    isIpv6Only,
    publishes: {
      ...(apiPublicName !== undefined && { apiPublicName }),
      ...(apiInternalName !== undefined && { apiInternalName }),
      kopsController: true,
    },
    apiServers: apiServers.map(host),
    controlPlanes: controlPlanes.map(host),
    etcdMembers: etcdVolumes.flatMap((mount) =>
      memberHolders(mount, volumes).map(({ name, address }) => {
        const machine = holder(address);
        return { name, addresses: machine === undefined ? [] : [machine.address] };
      }),
    ),
    objects: trusted.objects,
  });
  // external-dns marks its records as this cluster's too, so a record that is not wanted here may be one of its own.
  const isPartial = objects === undefined;
  const wishes = { clusterName: cluster, owner: ownerOfCluster(cluster), wanted, isPartial };
  return { wishes, ignored: trusted.ignored };
}

/** Every member of an etcd cluster with the address of the machine that holds its volume; empty while none does. */
function memberHolders(
  { tagKey, memberHost }: EtcdVolumeMount,
  volumes: readonly CloudVolume[],
): readonly { readonly name: string; readonly address: string }[] {
  return tagged(tagKey, volumes).map(({ volume, tag }) => ({
    name: memberHost.replaceAll('<member>', tag.member),
    address: volume.attachedTo?.address ?? '',
  }));
}
