import type { VpcInfo } from '@kopsctl/model/vpc-info.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';

/** The parts of an existing network that a spec names and its cloud does not have. Pure. */
export function* networkFaults({ networkID, subnets = [] }: ClusterSpec, found: VpcInfo | undefined): Iterable<Fault> {
  if (found === undefined) {
    const next = 'check the id, the region or project, and the credentials';
    yield fault('spec.networkID', `there is no network ${networkID} for this account`, next);
    return;
  }
  for (const [index, { id, zone, region }] of subnets.entries()) {
    if (id === undefined || id === '') continue;
    const path = `spec.subnets[${index}].id`;
    const places = found.subnets.filter((subnet) => subnet.id === id).map(({ place }) => place);
    const place = zone ?? region;
    if (places.length === 0) {
      yield fault(path, `the network ${networkID} has no subnet ${id}`, 'name one of its subnets');
    } else if (place !== undefined && !places.includes(place)) {
      yield fault(path, `${id} is in ${places.join(' and ')}, not in ${place}`, 'name one in the same place');
    }
  }
}
