import type { VpcInfo } from '@kopsctl/model/vpc-info.ts';
import { list, nameIn, pathIn, read, resourcePath } from './compute-calls.ts';
import { namedNetwork } from '../named-network.ts';
import type { GceCloud } from './gce-cloud.ts';
import { doing } from './google-error.ts';

/** The subnets of a network, which is `name` or `project/name`; undefined where there is no such network. */
export function findVpcInfo(gce: GceCloud, id: string, signal: AbortSignal): Promise<VpcInfo | undefined> {
  return doing(`look for the network ${id}`, async () => {
    const { project, name } = namedNetwork(id, gce.project);
    const path = resourcePath(project, 'global', 'networks', name);
    if ((await read(gce, path, signal)) === undefined) return undefined;
    const fields = 'name,region,network,ipCidrRange,secondaryIpRanges(ipCidrRange)';
    const found = await list(gce, { project, place: 'aggregated', collection: 'subnetworks', fields }, signal);
    return {
      subnets: found
        .filter((answer) => pathIn(answer.text('network')) === path)
        .map((answer) => ({
          id: answer.text('name'),
          place: nameIn(answer.text('region')),
          // One for IPv6 alone has no such range.
          cidr: answer.text('ipCidrRange', ''),
          furtherCidrs: answer.list('secondaryIpRanges').map((range) => range.text('ipCidrRange')),
        })),
    };
  });
}
