import type { Cluster } from '../cluster.ts';
import type { InstanceGroup } from '../instance-group.ts';
import { roleOf } from '../names.ts';
import { fault, type Fault } from './fault.ts';

/** Options that kops has, or had, and this suite does not carry out. Refusing them beats ignoring them. */
export function* validateSupport(cluster: Cluster, groups: readonly InstanceGroup[]): Iterable<Fault> {
  yield* validateEtcdOptions(cluster.spec);
  if (cluster.spec.cloudProvider === 'local') yield* validateLocal(cluster.spec, groups);
}

function* validateEtcdOptions({ etcdClusters = [] }: Cluster['spec']): Iterable<Fault> {
  for (const [index, etcd] of etcdClusters.entries()) {
    const path = `spec.etcdClusters[${index}]`;
    if (etcd.provider !== undefined && etcd.provider !== 'Manager') {
      yield fault(
        `${path}.provider`,
        `'${etcd.provider}' is not supported`,
        'etcd is always run by etcd-manager: write Manager',
      );
    }
    for (const field of ['enableEtcdTLS', 'enableTLSAuth'] as const) {
      if (etcd[field] === false) yield fault(`${path}.${field}`, 'etcd cannot be run without TLS', 'remove this field');
    }
  }
}

/** What a cluster of local machines cannot have. */
function* validateLocal(spec: Cluster['spec'], groups: readonly InstanceGroup[]): Iterable<Fault> {
  const networks = Object.keys(spec.networking ?? {});
  const unsupported = networks.filter((network) => !['kubenet', 'cni', 'external'].includes(network));
  for (const network of unsupported) {
    yield fault(
      `spec.networking.${network}`,
      'is not supported by cloudProvider local',
      'use kubenet, or cni and bring your own',
    );
  }
  for (const field of CLOUD_ONLY) {
    if (spec[field] !== undefined)
      yield fault(`spec.${field}`, 'is not supported by cloudProvider local', 'remove this field');
  }
  if (spec.api?.loadBalancer !== undefined) {
    yield fault('spec.api.loadBalancer', 'is not supported by cloudProvider local', 'write spec.api.dns: {}');
  }
  for (const group of groups) {
    if (roleOf(group) !== 'Bastion' && roleOf(group) !== 'APIServer') continue;
    yield {
      ...fault('spec.role', `role ${group.spec.role} is not supported by cloudProvider local`),
      instanceGroup: group.metadata.name,
    };
  }
}

const CLOUD_ONLY = [
  'awsLoadBalancerController',
  'cloudControllerManager',
  'clusterAutoscaler',
  'dnsZone',
  'egressProxy',
  'gossipConfig',
  'karpenter',
  'networkID',
  'nodeAuthorization',
  'nodeTerminationHandler',
  'podIdentityWebhook',
  'serviceAccountIssuerDiscovery',
  'warmPool',
] as const satisfies readonly (keyof Cluster['spec'])[];
