import type { Cluster, ClusterSubnetSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { bareVersion } from '@kopsctl/spec/names.ts';
import { RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import type { MachineRole } from './channel.ts';
import type { WantedGroup } from './cloud-creation.ts';
import { instanceGroup, type GroupContext } from './instance-groups.ts';
import { refusal } from './refusal.ts';

/**
 * An additional group of an existing cluster, inferred as in kops: in the named subnets or in all that suit its role, with
 * two machines, or one control plane or bastion.
 */
export function zonedInstanceGroup(
  { metadata, spec }: Cluster,
  wanted: WantedGroup,
  { cloud, rules }: Pick<GroupContext, 'cloud' | 'rules'>,
): InstanceGroup {
  const known = spec.subnets ?? [];
  const chosen = wanted.subnets.length > 0 ? named(known, wanted.subnets) : suiting(known, wanted.role);
  const size = wanted.role === 'node' || wanted.role === 'apiServer' ? 2 : 1;
  const zones = [...new Set(known.flatMap(({ zone }) => zone ?? []))].toSorted();
  return instanceGroup(
    {
      name: wanted.name,
      role: wanted.role,
      size: { min: size, max: size },
      subnets: chosen.map(({ name = '' }) => name),
      ...(rules.placesByZone && zones.length > 0 ? { zones } : {}),
    },
    {
      cloud,
      flags: { name: metadata.name },
      rules,
      kubernetesVersion: bareVersion(spec.kubernetesVersion ?? RECOMMENDED_KUBERNETES),
    },
  );
}

function named(known: readonly ClusterSubnetSpec[], names: readonly string[]): readonly ClusterSubnetSpec[] {
  return names.map((name) => {
    // kops also accepts a zone instead of the subnets in it.
    const found = known.find((subnet) => subnet.name === name) ?? known.find((subnet) => subnet.zone === name);
    if (found !== undefined) return found;
    throw refusal(`the cluster has no subnet '${name}'`, `its subnets: ${known.map((one) => one.name).join(', ')}`);
  });
}

/** Only machines that are reachable from the internet use utility subnets. Dual-stack subnets are for control planes. */
function suiting(known: readonly ClusterSubnetSpec[], role: MachineRole): readonly ClusterSubnetSpec[] {
  const machines = known.filter(({ type }) => type !== 'Utility');
  const dualStack = machines.filter(({ type }) => type === 'DualStack');
  if (role === 'node' || dualStack.length === 0) return machines.filter(({ type }) => type !== 'DualStack');
  return dualStack;
}
