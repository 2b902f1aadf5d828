import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { CompletionFacts } from '@kopsctl/spec/complete.ts';
import type { ParsedObject } from '@kopsctl/spec/parse.ts';
import { locateFault } from '@kopsctl/spec/validate.ts';
import { InvalidSpecError } from '../spec/invalid-spec-error.ts';
import { openCloudLayer } from './cloud-layer.ts';
import { networkFaults } from './network-faults.ts';
import type { HostSettings } from '@kopsctl/model/cloud.ts';

/**
 * What only the cloud knows of the network that a cluster shares; nothing is asked where the spec says it itself.
 *
 * @throws InvalidSpecError where the network, or a subnet that the spec names of it, is not there
 */
export async function networkFacts(
  cluster: Cluster,
  storeUrl: string,
  settings: HostSettings,
  objects: readonly ParsedObject[],
): Promise<Pick<CompletionFacts, 'networkCidr'>> {
  const { networkID, networkCIDR } = cluster.spec;
  if (networkID === undefined || networkCIDR !== undefined) return {};
  const cloud = await openCloudLayer({ cluster, storeUrl, settings, say: () => {} });
  const found = await cloud.findVpcInfo(networkID);
  const faults = [...networkFaults(cluster.spec, found)];
  if (faults.length > 0) {
    const errors = faults.map((one) => locateFault(one, cluster, objects));
    throw new InvalidSpecError(`use the network of ${cluster.metadata.name}`, errors);
  }
  return found?.cidr === undefined ? {} : { networkCidr: found.cidr };
}
