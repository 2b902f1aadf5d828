import type { NamedNetwork, SharedNetwork } from '@kopsctl/model/create-cluster/flags.ts';
import { refusal } from '@kopsctl/model/create-cluster/refusal.ts';
import { nameIn, read, resourcePath } from './compute-calls.ts';
import type { GceCloud } from './gce-cloud.ts';
import { doing } from './google-error.ts';
import { findVpcInfo } from './vpc-info.ts';

/**
 * The network that a new cluster is to share, as Google describes it: the one that is named, or the network of the subnets
 * that are named.
 *
 * @throws ActionableError that names what is not there
 */
export async function findSharedNetwork(
  gce: GceCloud,
  named: NamedNetwork,
  signal: AbortSignal,
): Promise<SharedNetwork> {
  const id = named.id ?? (await networkOf(gce, named.subnets[0] ?? '', signal));
  const info = await findVpcInfo(gce, id, signal);
  if (info === undefined) {
    throw refusal(
      `there is no network ${id}`,
      `check --network-id and --project: it is a NAME in ${gce.project}, or PROJECT/NAME`,
    );
  }
  return { id, ...info };
}

/** The network of a subnet in the cluster's project. */
async function networkOf(gce: GceCloud, subnet: string, signal: AbortSignal): Promise<string> {
  const { project, region } = gce;
  const path = resourcePath(project, `regions/${region}`, 'subnetworks', subnet);
  const found = await doing(`look for the subnet ${subnet}`, () => read(gce, path, signal));
  if (found !== undefined) return nameIn(found.text('network'));
  throw refusal(
    `${project} has no subnet ${subnet} in ${region}`,
    'check --subnets and --zones; name the network of another project with --network-id PROJECT/NETWORK',
  );
}
