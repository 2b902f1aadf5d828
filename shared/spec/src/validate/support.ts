import type { Cluster } from '../cluster.ts';
import type { InstanceGroup } from '../instance-group.ts';
import { isControlPlane, roleOf } from '../names.ts';
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

const refuse = (path: string, hint = 'remove this field'): Fault =>
  fault(path, 'is not supported by cloudProvider local', hint);

/** What a cluster of local machines cannot have. */
function* validateLocal(spec: Cluster['spec'], groups: readonly InstanceGroup[]): Iterable<Fault> {
  for (const network of Object.keys(spec.networking ?? {})) {
    if (['kubenet', 'cni', 'external'].includes(network)) continue;
    yield refuse(`spec.networking.${network}`, 'use kubenet, or cni and bring your own');
  }
  for (const field of NOT_LOCAL) if (spec[field] !== undefined) yield refuse(`spec.${field}`);
  if (spec.api?.loadBalancer !== undefined) yield refuse('spec.api.loadBalancer', 'write spec.api.dns: {}');
  for (const group of groups) {
    const instanceGroup = group.metadata.name;
    for (const field of GROUP_NOT_LOCAL) {
      if (group.spec[field] !== undefined) yield { ...refuse(`spec.${field}`), instanceGroup };
    }
    if (roleOf(group) === 'Bastion') {
      yield { ...fault('spec.role', `role ${group.spec.role} is not supported by cloudProvider local`), instanceGroup };
    }
    const { minSize, maxSize } = group.spec;
    if (isControlPlane(group) && minSize !== undefined && maxSize !== undefined && minSize < maxSize) {
      const message = `${minSize} differs from spec.maxSize (${maxSize}), but a control plane has a fixed size`;
      yield { ...fault('spec.minSize', message, 'set both to 1, 3 or 5'), instanceGroup };
    }
  }
}

const NOT_LOCAL = [
  'additionalNetworkCIDRs',
  'additionalPolicies',
  'authentication',
  'awsLoadBalancerController',
  'certManager',
  'cloudConfig',
  'cloudControllerManager',
  'clusterAutoscaler',
  'configStore',
  'dnsControllerGossipConfig',
  'dnsZone',
  'egressProxy',
  'encryptionConfig',
  'externalDns',
  'externalPolicies',
  'gossipConfig',
  'karpenter',
  'metricsServer',
  'networkID',
  'nodeAuthorization',
  'nodePortAccess',
  'nodeProblemDetector',
  'nodeTerminationHandler',
  'ntp',
  'podIdentityWebhook',
  'project',
  'serviceAccountIssuerDiscovery',
  'snapshotController',
  'useHostCertificates',
  'warmPool',
] as const satisfies readonly (keyof Cluster['spec'])[];

const GROUP_NOT_LOCAL = [
  'additionalSecurityGroups',
  'additionalUserData',
  'autoscale',
  'capacityRebalance',
  'externalLoadBalancers',
  'guestAccelerators',
  'iam',
  'instanceMetadata',
  'maxPrice',
  'mixedInstancesPolicy',
  'rootVolumeEncryption',
  'rootVolumeSize',
  'spotDurationInMinutes',
  'tenancy',
  'volumeMounts',
  'volumes',
  'warmPool',
] as const satisfies readonly (keyof InstanceGroup['spec'])[];
