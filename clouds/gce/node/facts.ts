import type { MachineMetadata } from '@kopsctl/google/metadata.ts';
import type { Facts } from '@kopsctl/node-plan/facts.ts';
import { nodeNameOf } from './node-name.ts';
import { idOf, lastPart, type ZonalName } from './resource-name.ts';

/** The facts that the metadata server knows of this machine. */
export async function readFacts(metadata: MachineMetadata, signal: AbortSignal): Promise<Facts> {
  const [own, hostname, address] = await Promise.all([
    readOwnName(metadata, signal),
    metadata.read('instance/hostname', signal),
    metadata.read('instance/network-interfaces/0/ip', signal),
  ]);
  return { instanceId: idOf(own), nodeName: nodeNameOf(hostname), address, zone: own.zone };
}

/** The name and the zone of this machine; the server returns the zone as `projects/<number>/zones/<zone>`. */
export async function readOwnName(metadata: MachineMetadata, signal: AbortSignal): Promise<ZonalName> {
  const [zone, name] = await Promise.all([
    metadata.read('instance/zone', signal),
    metadata.read('instance/name', signal),
  ]);
  return { zone: lastPart(zone), name };
}
