import { etcdPorts } from '@kopsctl/model/etcd-clusters.ts';
import type { Output } from '@kopsctl/model/output.ts';
import type { ClusterSubnetSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { type Role, roleOf } from '@kopsctl/spec/names.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { CLUSTER_LABEL, clusterLabel, type Labels } from '../../node/labels.ts';
import { API_HEALTH, hasExternalBalancer } from '../api-health.ts';
import { managedGroupName, suffixed } from '../names.ts';
import { KOPS_CONTROLLER_PORT } from './firewall.ts';
import {
  balancesKopsController,
  type GceContext,
  hasCiliumEtcd,
  hasLoadBalancer,
  hasRole,
  isWithoutNames,
  subnetLink,
  subnetsOf,
} from './gce-context.ts';
import { gceTask, outputOf } from './gce-task.ts';

const HTTPS = 443;

/** The pool that machines with an API server are in, for clients outside. */
export function apiTargetPools(context: GceContext, group: InstanceGroup): readonly Output[] {
  if (!hasLoadBalancer(context) || !hasExternalBalancer(context.facts)) return [];
  // Control planes are left to their work where others serve the API.
  const serving: Role = hasRole(context, 'APIServer') ? 'APIServer' : 'ControlPlane';
  if (roleOf(group) !== serving) return [];
  return [outputOf('gce/TargetPool', suffixed('api', context.facts.clusterName), 'link')];
}

/** The address of the API inside a subnet. */
const internalAddress = (context: GceContext, subnet: ClusterSubnetSpec): Output =>
  outputOf('gce/Address', suffixed(`api-${subnet.name}`, context.facts.clusterName), 'address');

/** The address by which machines of a group find the control plane where there are no names: that of their own subnet, if any. */
export function apiAddressFor(context: GceContext, group: InstanceGroup): Output | undefined {
  const served = servedSubnets(context);
  const subnet = subnetsOf(context, group).find((own) => served.includes(own)) ?? served[0];
  return subnet && internalAddress(context, subnet);
}

/** The load balancers of the API: one inside each subnet of its machines, and one for clients outside if it is public. */
export const apiLoadBalancer = (context: GceContext): readonly Task[] =>
  hasLoadBalancer(context)
    ? [...(hasExternalBalancer(context.facts) ? external(context) : []), ...internal(context)]
    : [];

const labels = ({ facts }: GceContext, name: string): Labels => ({
  [CLUSTER_LABEL]: clusterLabel(facts.clusterName),
  name,
});

function external(context: GceContext): readonly Task[] {
  const { region } = context;
  const name = suffixed('api', context.facts.clusterName);
  return [
    gceTask('gce/HttpHealthCheck', name, { name, ...API_HEALTH }),
    gceTask('gce/TargetPool', name, { name, region, healthCheck: outputOf('gce/HttpHealthCheck', name, 'link') }),
    gceTask('gce/Address', name, { name, region }),
    gceTask('gce/ForwardingRule', name, {
      name,
      region,
      address: outputOf('gce/Address', name, 'address'),
      ports: [String(HTTPS)],
      labels: labels(context, 'api'),
      targetPool: outputOf('gce/TargetPool', name, 'link'),
    }),
  ];
}

/** What is served at an address, and by which machines. */
interface Service {
  readonly id: string;
  readonly ports: readonly number[];
  readonly backend: Backend;
}

interface Backend {
  readonly id: string;
  readonly roles: readonly Role[];
  /** Google allows one check for a service. */
  readonly check: { readonly id: string; readonly protocol: 'TCP' | 'SSL'; readonly port: number };
}

const API: Backend = {
  id: 'api',
  roles: ['ControlPlane', 'APIServer'],
  check: { id: 'api', protocol: 'TCP', port: HTTPS },
};

/** What only control planes serve: an API server reaches a shared address only on itself (kops#18176). */
const CONTROL_PLANES: Backend = {
  id: 'kops-controller',
  roles: ['ControlPlane'],
  check: { id: 'kops-controller', protocol: 'SSL', port: KOPS_CONTROLLER_PORT },
};

const ETCD: Backend = {
  id: 'etcd',
  roles: ['ControlPlane'],
  check: { id: 'etcd-main', protocol: 'TCP', port: etcdPorts('main').client },
};

/** Prefixes of the names of its parts, for finding the parts that are no longer wanted: some have `-SUBNET` after the prefix. */
export const BACKEND_IDS = [API, CONTROL_PLANES, ETCD].map(({ id }) => id);
export const BALANCER_CHECK_IDS = [API, CONTROL_PLANES, ETCD].map(({ check }) => check.id);
export const FORWARDED_IDS = ['api', 'kops-controller', 'cilium-etcd', 'etcd'] as const;
export const API_ADDRESS_IDS = ['api', 'etcd'] as const;

function internal(context: GceContext): readonly Task[] {
  const apart = hasRole(context, 'APIServer');
  const ownBackend = apart ? CONTROL_PLANES : API;
  const shared: readonly Service[] = [
    { id: 'api', ports: [HTTPS], backend: API },
    ...(balancesKopsController(context)
      ? [{ id: 'kops-controller', ports: [KOPS_CONTROLLER_PORT], backend: ownBackend }]
      : []),
    ...(hasCiliumEtcd(context)
      ? [{ id: 'cilium-etcd', ports: [etcdPorts('cilium').client], backend: ownBackend }]
      : []),
  ];
  const etcd: readonly Service[] =
    apart && isWithoutNames(context) ? [{ id: 'etcd', ports: etcdClients(context), backend: ETCD }] : [];
  const backends = new Set([API, ...(apart ? [CONTROL_PLANES] : []), ...etcd.map(({ backend }) => backend)]);
  return [
    ...[...backends].flatMap((backend) => backendTasks(context, backend)),
    ...servedSubnets(context).flatMap((subnet) => [
      ...services(context, subnet, 'api', shared),
      ...(etcd.length === 0 ? [] : services(context, subnet, 'etcd', etcd)),
    ]),
  ];
}

/** The ports of the etcd clusters that API servers on machines of their own ask. */
const etcdClients = ({ facts }: GceContext): readonly number[] => {
  const names = (facts.spec.etcdClusters ?? []).map(({ name }) => name);
  return ['main', 'events', 'leases'].filter((name) => names.includes(name)).map((name) => etcdPorts(name).client);
};

/** The subnets with machines that serve the API. */
function servedSubnets(context: GceContext): readonly ClusterSubnetSpec[] {
  const serving = context.groups.filter((group) => API.roles.includes(roleOf(group)));
  return [...new Set(serving.flatMap((group) => subnetsOf(context, group)))];
}

function backendTasks({ facts, groups, region }: GceContext, { id, roles, check }: Backend): readonly Task[] {
  const name = suffixed(id, facts.clusterName);
  const checkName = suffixed(check.id, facts.clusterName);
  const managed = groups
    .filter((group) => roles.includes(roleOf(group)))
    .flatMap(({ metadata, spec }) =>
      (spec.zones ?? []).map((zone) => managedGroupName(metadata.name, zone, facts.clusterName)),
    );
  return [
    gceTask('gce/HealthCheck', checkName, { name: checkName, region, protocol: check.protocol, port: check.port }),
    gceTask('gce/BackendService', name, {
      name,
      region,
      healthCheck: outputOf('gce/HealthCheck', checkName, 'link'),
      instanceGroups: managed.map((group) => outputOf('gce/InstanceGroupManager', group, 'instanceGroup')),
    }),
  ];
}

/** Services behind one address of a subnet. */
function services(
  context: GceContext,
  subnet: ClusterSubnetSpec,
  addressId: string,
  wanted: readonly Service[],
): readonly Task[] {
  const { facts, region } = context;
  const address = suffixed(`${addressId}-${subnet.name}`, facts.clusterName);
  return [
    gceTask('gce/Address', address, { name: address, region, subnetwork: subnetLink(context, subnet) }),
    ...wanted.map(({ id, ports, backend }) => {
      const label = `${id}-${subnet.name}`;
      const name = suffixed(label, facts.clusterName);
      return gceTask('gce/ForwardingRule', name, {
        name,
        region,
        address: outputOf('gce/Address', address, 'address'),
        ports: ports.map(String),
        labels: labels(context, label),
        backendService: outputOf('gce/BackendService', suffixed(backend.id, facts.clusterName), 'link'),
        network: context.network,
        subnetwork: subnetLink(context, subnet),
      });
    }),
  ];
}
