import type { Cluster, ClusterSubnetSpec } from '@kopsctl/spec/cluster.ts';
import { CLUSTER_LABEL, type InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { bareVersion } from '@kopsctl/spec/names.ts';
import { RECOMMENDED_KUBERNETES, type MachineRole } from './channel.ts';
import { rulesOf } from './choose-cloud.ts';
import { isCloud } from './flags.ts';
import { instanceGroup } from './instance-groups.ts';
import { refusal } from './refusal.ts';

/** A further group of a cluster that exists, as kops infers it: one machine, in the subnets named or all that suit. */
export function newInstanceGroup(
  { metadata, spec }: Cluster,
  wanted: { readonly name: string; readonly role: MachineRole; readonly subnets: readonly string[] },
): InstanceGroup {
  const cloud = spec.cloudProvider ?? '';
  if (!isCloud(cloud)) throw refusal(`nothing can be inferred for cloudProvider '${cloud}'`, 'write it in a file');
  if (cloud === 'local') return localGroup(metadata.name, wanted);
  const rules = rulesOf(cloud);
  const known = spec.subnets ?? [];
  const chosen = wanted.subnets.length > 0 ? named(known, wanted.subnets) : suiting(known, wanted.role);
  const zones = [...new Set(known.flatMap(({ zone }) => zone ?? []))].toSorted();
  return instanceGroup(
    {
      name: wanted.name,
      role: wanted.role,
      size: { min: 1, max: 1 },
      subnets: chosen.map(({ name = '' }) => name),
      ...(rules.placesByZone && zones.length > 0 ? { zones } : {}),
    },
    {
      flags: { name: metadata.name },
      rules,
      kubernetesVersion: bareVersion(spec.kubernetesVersion ?? RECOMMENDED_KUBERNETES),
    },
  );
}

function named(known: readonly ClusterSubnetSpec[], names: readonly string[]): readonly ClusterSubnetSpec[] {
  return names.map((name) => {
    // kops also takes a zone for the subnets in it.
    const found = known.find((subnet) => subnet.name === name) ?? known.find((subnet) => subnet.zone === name);
    if (found !== undefined) return found;
    throw refusal(`the cluster has no subnet '${name}'`, `its subnets: ${known.map((one) => one.name).join(', ')}`);
  });
}

/** Nothing but what faces the internet goes into utility subnets; dual-stack ones are for control planes. */
function suiting(known: readonly ClusterSubnetSpec[], role: MachineRole): readonly ClusterSubnetSpec[] {
  const machines = known.filter(({ type }) => type !== 'Utility');
  const dualStack = machines.filter(({ type }) => type === 'DualStack');
  if (role === 'node' || dualStack.length === 0) return machines.filter(({ type }) => type !== 'DualStack');
  return dualStack;
}

function localGroup(
  cluster: string,
  { name, role }: { readonly name: string; readonly role: MachineRole },
): InstanceGroup {
  if (role !== 'controlPlane' && role !== 'node') {
    throw refusal('local machines are control planes or nodes', 'choose --role control-plane or --role node');
  }
  return {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'InstanceGroup',
    metadata: { name, labels: { [CLUSTER_LABEL]: cluster } },
    spec: { role: role === 'node' ? 'Node' : 'Master', minSize: 1, maxSize: 1 },
  };
}
