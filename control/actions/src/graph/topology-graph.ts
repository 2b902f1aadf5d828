import type { Completed } from '@kopsctl/spec/complete.ts';
import type { InstanceGroup, InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import { isControlPlane } from '@kopsctl/spec/names.ts';
import type { GraphPart, PictureGraph } from './graph.ts';

type Edge = PictureGraph['edges'][number];

/** What a cluster consists of: its network, the groups of machines in its subnets, its members of etcd, and the API. Pure. */
export function topologyGraph({ cluster, instanceGroups }: Completed): PictureGraph {
  const { spec, metadata } = cluster;
  const network = part('network', spec.networkID ?? metadata.name, [spec.networkCIDR]);
  const subnets = (spec.subnets ?? []).map(({ name = '', zone, cidr, type }) =>
    part('subnet', name, [zone, cidr, type]),
  );
  const groups = instanceGroups.map(groupPart);
  const etcd = etcdParts(cluster.spec.etcdClusters ?? []);
  const api = part('API', spec.masterPublicName ?? metadata.name, [
    spec.api?.loadBalancer === undefined ? undefined : `load balancer ${spec.api.loadBalancer.type ?? ''}`,
  ]);
  return {
    title: metadata.name,
    nodes: [network, ...subnets, ...groups, ...etcd.nodes, api],
    edges: [
      ...subnets.map(({ id }) => ({ from: network.id, to: id })),
      ...instanceGroups.flatMap(subnetEdges),
      ...etcd.edges,
      ...instanceGroups
        .filter((group) => isControlPlane(group) || group.spec.role === 'APIServer')
        .map(({ metadata: { name } }) => ({ from: api.id, to: `group/${name}` })),
    ],
  };
}

function part(kind: string, name: string, details: readonly (string | undefined)[]): GraphPart {
  const lines = [`${kind} ${name}`, ...details.filter((detail) => detail !== undefined && detail !== '')];
  return { id: `${kind}/${name}`, label: lines.join('\n'), kind };
}

function groupPart({ metadata: { name }, spec }: InstanceGroup): GraphPart {
  return part('group', name, [spec.role, machinesOf(spec)]);
}

/** Karpenter makes as many machines as pods need, and with minSize a fixed number. */
function machinesOf({ manager, minSize, maxSize, machineType }: InstanceGroupSpec): string {
  if (minSize === undefined) {
    const most = maxSize === undefined ? '' : `, at most ${maxSize}`;
    return `as many ${machineType ?? 'machines'} as pods need${most}`;
  }
  const isFixed = manager === 'Karpenter' || maxSize === undefined || maxSize === minSize;
  return `${isFixed ? minSize : `${minSize} to ${maxSize}`} × ${machineType ?? 'machine'}`;
}

const subnetEdges = ({ metadata: { name }, spec }: InstanceGroup): readonly Edge[] =>
  (spec.subnets ?? []).map((subnet) => ({ from: `subnet/${subnet}`, to: `group/${name}` }));

function etcdParts(clusters: NonNullable<Completed['cluster']['spec']['etcdClusters']>) {
  const nodes: GraphPart[] = [];
  const edges: Edge[] = [];
  for (const { name, version, etcdMembers = [] } of clusters) {
    const whole = part('etcd', name ?? '', [version]);
    nodes.push(whole);
    for (const { name: member, instanceGroup } of etcdMembers) {
      edges.push({ from: `group/${instanceGroup ?? ''}`, to: whole.id, label: `member ${member ?? ''}` });
    }
  }
  return { nodes, edges };
}
