import type { ClusterSubnetSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { MachineRole } from './channel.ts';
import type { CreateClusterFlags, MachineFlags } from './flags.ts';
import { nonEmpty } from './given.ts';
import { instanceGroup, type GroupContext } from './instance-groups.ts';
import { refusal, unknownWord } from './refusal.ts';

/** Where instance groups are placed. */
export interface Placement extends GroupContext {
  /** The names of the subnets that machines in a zone may use. The first is the zone's main subnet. */
  readonly subnetsOf: (zone: string) => readonly string[];
  /** Every zone of the cluster, sorted. */
  readonly zones: readonly string[];
  readonly subnets: readonly ClusterSubnetSpec[];
  readonly dualStack: boolean;
}

/** A group with one machine for each control plane, distributed over the zones. */
export function controlPlanes(placement: Placement): readonly InstanceGroup[] {
  const { flags, rules } = placement;
  const named = nonEmpty(flags.controlPlaneZones);
  const zones = named ?? flags.zones ?? [];
  const count = flags.controlPlane?.count || (named === undefined ? 1 : named.length);
  if (named !== undefined && count < named.length) {
    throw refusal(
      `--control-plane-zones names ${named.length} zones for ${count} control planes`,
      'name as many zones as control planes, or fewer',
    );
  }
  const numbered = count > zones.length || (rules.numbersControlPlanes && count >= zones.length);
  return Array.from({ length: count }, (_, index) => {
    const zone = zones[index % zones.length] ?? '';
    const [main = ''] = placement.subnetsOf(zone);
    return instanceGroup(
      {
        name: `control-plane-${zone}${numbered ? `-${1 + Math.floor(index / zones.length)}` : ''}`,
        role: 'controlPlane',
        size: { min: 1, max: 1 },
        subnets: [placement.dualStack ? `dualstack-${main}` : main],
        ...zonesOf(zone, placement),
        ...machines(flags.controlPlane),
      },
      placement,
    );
  });
}

/** Workers: a group for each zone, or one group that Karpenter scales. */
export function nodes(placement: Placement): readonly InstanceGroup[] {
  const { flags, rules } = placement;
  switch (nonEmpty(flags.instanceManager) ?? 'cloudgroups') {
    case 'cloudgroups':
      return perZone('nodes', 'node', flags.node?.count || (flags.zones ?? []).length, flags.node, placement);
    case 'karpenter':
      if (!rules.hasKarpenter)
        throw refusal('Karpenter has no provider for this cloud', 'leave out --instance-manager');
      if (nonEmpty(flags.discoveryStore) === undefined) {
        throw refusal('Karpenter gets its permissions through service accounts', 'set --discovery-store');
      }
      return [
        instanceGroup(
          {
            name: 'nodes',
            role: 'node',
            manager: 'Karpenter',
            ...(flags.node?.count ? { size: { min: flags.node.count } } : {}),
            subnets: workerSubnets(placement),
            ...machines(flags.node),
          },
          placement,
        ),
      ];
    default:
      throw unknownWord('--instance-manager', flags.instanceManager ?? '', ['cloudgroups', 'karpenter']);
  }
}

/** Machines that run only an API server. */
export function apiServers(placement: Placement): readonly InstanceGroup[] {
  const { apiServer } = placement.flags;
  return apiServer?.count ? perZone('apiserver', 'apiServer', apiServer.count, apiServer, placement) : [];
}

/** The machine through which users reach private subnets. */
export function bastions(placement: Placement): readonly InstanceGroup[] {
  const { flags, rules, subnets, dualStack } = placement;
  if (flags.bastion !== true) return [];
  return [
    instanceGroup(
      {
        name: 'bastions',
        role: 'bastion',
        size: { min: 1, max: 1 },
        subnets: dualStack
          ? subnets.flatMap(({ name = '', type }) => (type === 'DualStack' ? [name] : []))
          : workerSubnets(placement),
        ...(rules.placesBastionsByZone ? { zones: placement.zones } : {}),
        ...machines(flags.bastionImage === undefined ? undefined : { image: flags.bastionImage }),
      },
      placement,
    ),
  ];
}

function perZone(
  prefix: string,
  role: MachineRole,
  count: number,
  flags: MachineFlags | undefined,
  placement: Placement,
): readonly InstanceGroup[] {
  const zones = placement.flags.zones ?? [];
  return zones.map((zone, index) => {
    const size = Math.floor(count / zones.length) + (index < count % zones.length ? 1 : 0);
    const [main, ...others] = placement.subnetsOf(zone);
    // A zone's main subnet may be small, so workers use others if there are any.
    const workers = role === 'node' && others.length > 0 ? others : [...(main === undefined ? [] : [main]), ...others];
    return instanceGroup(
      {
        name: `${prefix}-${zone}`,
        role,
        size: { min: size, max: size },
        subnets: workers,
        ...zonesOf(zone, placement),
        ...machines(flags),
      },
      placement,
    );
  });
}

function workerSubnets({ subnets }: Placement): readonly string[] {
  return subnets.flatMap(({ name = '', type }) => (type === 'DualStack' || type === 'Utility' ? [] : [name]));
}

const zonesOf = (zone: string, { rules }: Placement) => (rules.placesByZone ? { zones: [zone] } : {});
const machines = (flags: CreateClusterFlags['node']) => (flags === undefined ? {} : { machines: flags });
