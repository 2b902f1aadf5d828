import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Facts } from '@kopsctl/node-plan/facts.ts';
import type { InstanceMetadata, OpenedMetadata } from './metadata.ts';
import { nodeNameOf, type NodeNaming } from './node-name.ts';

/** The facts that the metadata service knows of this machine. */
export async function readFacts(
  metadata: OpenedMetadata,
  { naming, isIpv6Only }: { readonly naming: NodeNaming; readonly isIpv6Only: boolean },
  signal: AbortSignal,
): Promise<Facts> {
  // The first request fetches the token that the others use.
  const instanceId = await metadata.read('instance-id', signal);
  const [address, zone, privateDnsName] = await Promise.all([
    isIpv6Only ? readIpv6Address(metadata, signal) : metadata.read('local-ipv4', signal),
    metadata.read('placement/availability-zone', signal),
    naming === 'private-dns' ? metadata.read('local-hostname', signal) : '',
  ]);
  return { instanceId, nodeName: nodeNameOf({ instanceId, privateDnsName }, naming), address, zone };
}

/** The first IPv6 address of the primary interface (EC2 user guide, "Instance metadata categories": ipv6). */
async function readIpv6Address(metadata: OpenedMetadata, signal: AbortSignal): Promise<string> {
  const address = await metadata.find('ipv6', signal);
  if (address !== undefined) return address;
  throw new ActionableError({
    what: 'find the address of this machine',
    why: 'its cluster has only IPv6, and its first network interface has no IPv6 address',
    next: 'give its subnet a range (spec.subnets[].ipv6CIDR), run `kopsctl update cluster --yes`, and replace this machine',
  });
}

/** The account of the machine: the owner of its primary network interface. */
export async function readAccount(metadata: InstanceMetadata, signal: AbortSignal): Promise<string> {
  const mac = await metadata.read('mac', signal);
  return metadata.read(`network/interfaces/macs/${mac}/owner-id`, signal);
}
