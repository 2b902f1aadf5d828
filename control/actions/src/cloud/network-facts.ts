import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { CompletionFacts } from '@kopsctl/spec/complete.ts';
import { openCloudLayer } from './cloud-layer.ts';
import type { HostSettings } from '@kopsctl/model/cloud.ts';

/** What only the cloud knows of the network that a cluster shares; nothing is asked where the spec says it itself. */
export async function networkFacts(
  cluster: Cluster,
  storeUrl: string,
  settings: HostSettings,
): Promise<Pick<CompletionFacts, 'networkCidr'>> {
  const { networkID, networkCIDR } = cluster.spec;
  if (networkID === undefined || networkCIDR !== undefined) return {};
  const cloud = await openCloudLayer({ cluster, storeUrl, settings, say: () => {} });
  const found = await cloud.findVpcInfo(networkID);
  if (found !== undefined) return found.cidr === undefined ? {} : { networkCidr: found.cidr };
  throw new ActionableError({
    what: `use the network ${networkID} of spec.networkID`,
    why: 'there is none of that id in this region for this account',
    next: 'check the id, the region and the credentials',
  });
}
