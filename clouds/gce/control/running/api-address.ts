import { isIP } from 'node:net';
import { suffixed } from '../names.ts';
import { list } from '../handlers/compute-calls.ts';
import type { GceCloud } from '../handlers/gce-cloud.ts';
import { subnetNames } from '../handlers/own-names.ts';

/** The address of the API's load balancer: the external one, otherwise the one in a subnet. Undefined if there is none yet. */
export async function apiLoadBalancerAddress(gce: GceCloud, signal: AbortSignal): Promise<string | undefined> {
  const { project, region, clusterName } = gce;
  const place = `regions/${region}` as const;
  const fields = 'name,IPAddress';
  const found = await list(gce, { project, place, collection: 'forwardingRules', fields }, signal);
  const addresses = new Map(found.map((answer) => [answer.text('name'), answer.text('IPAddress', '')]));
  const names = ['api', ...subnetNames(gce).map((subnet) => `api-${subnet}`)];
  return names.map((name) => addresses.get(suffixed(name, clusterName)) ?? '').find((address) => isIP(address) !== 0);
}
