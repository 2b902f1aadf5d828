import type { Facts } from '@kopsctl/node-plan/facts.ts';
import type { InstanceMetadata } from './metadata.ts';
import { nodeNameOf, type NodeNaming } from './node-name.ts';

/** The facts that the metadata service knows of this machine. */
export async function readFacts(metadata: InstanceMetadata, naming: NodeNaming, signal: AbortSignal): Promise<Facts> {
  // The first request fetches the token that the others use.
  const instanceId = await metadata.read('instance-id', signal);
  const [address, zone, privateDnsName] = await Promise.all([
    metadata.read('local-ipv4', signal),
    metadata.read('placement/availability-zone', signal),
    naming === 'private-dns' ? metadata.read('local-hostname', signal) : '',
  ]);
  return { instanceId, nodeName: nodeNameOf({ instanceId, privateDnsName }, naming), address, zone };
}

/** The account of the machine: the owner of its primary network interface. */
export async function readAccount(metadata: InstanceMetadata, signal: AbortSignal): Promise<string> {
  const mac = await metadata.read('mac', signal);
  return metadata.read(`network/interfaces/macs/${mac}/owner-id`, signal);
}
