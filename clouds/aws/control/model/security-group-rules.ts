import { etcdPorts } from '@kopsctl/model/etcd-clusters.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { AwsContext } from './aws-context.ts';
import { allowAllEgress, allowIngress, type Traffic } from './security-group-rule.ts';
import { securityGroupsOf } from './security-groups.ts';

/** The ports of etcd peers and clients; with access to them a worker could read every secret. */
const ETCD_PORTS = [2380, 2381, 4001, 4002];
/** The peer port of Cilium's own etcd. Its clients run on every node. */
const CILIUM_ETCD_PEERS = 2382;

/** The security groups of machines, and the rules between them (kops pkg/model/awsmodel/firewall.go). */
export function securityGroupRules(context: AwsContext): readonly Task[] {
  const nodes = securityGroupsOf(context, 'Node');
  const controlPlane = securityGroupsOf(context, 'ControlPlane');
  const toControlPlane = workerTraffic(context);
  return [
    ...nodes.map(({ task }) => task),
    ...nodes.flatMap(allowAllEgress),
    ...nodes.flatMap((from) => nodes.map((to) => allowIngress(from, to))),
    ...controlPlane.map(({ task }) => task),
    ...controlPlane.flatMap(allowAllEgress),
    ...controlPlane.flatMap((from) => [...controlPlane, ...nodes].map((to) => allowIngress(from, to))),
    ...controlPlane.flatMap((to) =>
      nodes.flatMap((from) => toControlPlane.map((traffic) => allowIngress(from, to, traffic))),
    ),
  ];
}

/** The traffic from workers to the control plane: everything except etcd. Undefined stands for all traffic. */
function workerTraffic({ facts }: AwsContext): readonly (Traffic | undefined)[] {
  const { networking, etcdClusters = [] } = facts.spec;
  const hasLeases = etcdClusters.some(({ name }) => name === 'leases');
  const blocked = [
    ...ETCD_PORTS,
    ...(hasLeases ? Object.values(etcdPorts('leases')) : []),
    ...(networking?.cilium?.etcdManaged === true ? [CILIUM_ETCD_PEERS] : []),
  ];
  const ipip = networking?.calico !== undefined || networking?.kuberouter !== undefined;
  return [
    { protocol: 'udp', ports: [1, 65535] },
    ...openRanges(blocked).map((ports): Traffic => ({ protocol: 'tcp', ports })),
    ...(ipip ? [{ protocol: 'ipip' } as const] : []),
    // Pods have addresses of the VPC, and pods on the control plane may listen on any port.
    ...(networking?.amazonvpc === undefined ? [] : [undefined]),
  ];
}

/** The ports from 1 to 65535 that are not blocked, as ranges. */
function openRanges(blocked: readonly number[]): readonly (readonly [number, number])[] {
  const edges = [0, ...new Set(blocked.toSorted((a, b) => a - b)), 65536];
  return edges
    .slice(1)
    .map((edge, index) => [(edges[index] ?? 0) + 1, edge - 1] as const)
    .filter(([from, to]) => from <= to);
}
