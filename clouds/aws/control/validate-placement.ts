import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';

/**
 * A group is in subnets of one type: machines in a public one go out by an address of their own, which those in a private
 * one do not get (kops pkg/model/context.go, GatherSubnets).
 */
export function* validatePlacement({ spec }: InstanceGroup, cluster: ClusterSpec): Iterable<Fault> {
  const typeOf = (name: string) => cluster.subnets?.find((subnet) => subnet.name === name)?.type;
  const names = spec.subnets ?? [];
  const first = names.find((name) => typeOf(name) !== undefined);
  if (first === undefined) return;
  for (const [index, name] of names.entries()) {
    const type = typeOf(name);
    if (type === undefined || type === typeOf(first)) continue;
    const message = `${name} is ${type}, and ${first} is ${typeOf(first)}`;
    yield fault(`spec.subnets[${index}]`, message, 'make a group for each type of subnets');
  }
}
