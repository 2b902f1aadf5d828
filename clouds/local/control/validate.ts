import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { isControlPlane, roleOf } from '@kopsctl/spec/names.ts';
import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';
import { isDnsLabel, isDnsName } from '@kopsctl/spec/validate/names.ts';

const refuse = (path: string, hint = 'remove this field'): Fault =>
  fault(path, 'is not supported by cloudProvider local', hint);

/** The fields that a cluster of local machines does not support. */
export function* validateLocal({ spec }: Cluster, groups: readonly InstanceGroup[]): Iterable<Fault> {
  for (const network of Object.keys(spec.networking ?? {})) {
    if (['kubenet', 'flannel', 'cni', 'external'].includes(network)) continue;
    yield refuse(`spec.networking.${network}`, 'use kubenet or flannel, or cni and bring your own');
  }
  for (const field of NOT_LOCAL) if (spec[field] !== undefined) yield refuse(`spec.${field}`);
  if (spec.api?.loadBalancer !== undefined) yield refuse('spec.api.loadBalancer', 'write spec.api.dns: {}');
  for (const field of ['containerProxy', 'containerRegistry'] as const) {
    if (spec.assets?.[field] === undefined) continue;
    yield refuse(`spec.assets.${field}`, 'remove this field: images come from the prepared assets');
  }
  for (const field of Object.keys(spec.cloudConfig ?? {})) {
    if (field !== 'manageStorageClasses') yield refuse(`spec.cloudConfig.${field}`);
  }
  for (const group of groups) {
    const instanceGroup = group.metadata.name;
    // Every cloud refuses a name that is not a DNS name; names of local machines contain it as a single label.
    if (isDnsName(instanceGroup) && !isDnsLabel(instanceGroup)) {
      const message = `'${instanceGroup}' cannot be part of a machine's name`;
      yield { ...fault('metadata.name', message, 'lower-case letters, digits and -'), instanceGroup };
    }
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
  'cloudControllerManager',
  'clusterAutoscaler',
  'configStore',
  'dnsControllerGossipConfig',
  'dnsZone',
  'egressProxy',
  'externalPolicies',
  'gossipConfig',
  'karpenter',
  'networkID',
  'nodeAuthorization',
  'nodePortAccess',
  'nodeProblemDetector',
  'nodeTerminationHandler',
  'ntp',
  'podIdentityWebhook',
  'project',
  'serviceAccountIssuerDiscovery',
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
