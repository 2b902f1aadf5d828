import type { Step } from './field-path.ts';

/*
 * kops's --set takes the names of its newest API, which v1alpha2 has elsewhere. The longest beginning that matches is
 * exchanged; what follows it stays.
 */
const CLUSTER: Readonly<Record<string, string>> = {
  'spec.api.access': 'spec.kubernetesApiAccess',
  'spec.api.additionalSANs': 'spec.additionalSans',
  'spec.api.publicName': 'spec.masterPublicName',
  'spec.cloudProvider.aws.disableSecurityGroupIngress': 'spec.cloudConfig.disableSecurityGroupIngress',
  'spec.cloudProvider.aws.ebsCSIDriver': 'spec.cloudConfig.awsEBSCSIDriver',
  'spec.cloudProvider.aws.elbSecurityGroup': 'spec.cloudConfig.elbSecurityGroup',
  'spec.cloudProvider.aws.loadBalancerController': 'spec.awsLoadBalancerController',
  'spec.cloudProvider.aws.nlbSecurityGroupMode': 'spec.cloudConfig.nlbSecurityGroupMode',
  'spec.cloudProvider.aws.nodeIPFamilies': 'spec.cloudConfig.nodeIPFamilies',
  'spec.cloudProvider.aws.nodeTerminationHandler': 'spec.nodeTerminationHandler',
  'spec.cloudProvider.aws.podIdentityWebhook': 'spec.podIdentityWebhook',
  'spec.cloudProvider.aws.spotinstOrientation': 'spec.cloudConfig.spotinstOrientation',
  'spec.cloudProvider.aws.spotinstProduct': 'spec.cloudConfig.spotinstProduct',
  'spec.cloudProvider.aws.useIPBasedNodeNames': 'spec.cloudConfig.useIPBasedNodeNames',
  'spec.cloudProvider.aws.warmPool': 'spec.warmPool',
  'spec.cloudProvider.azure': 'spec.cloudConfig.azure',
  'spec.cloudProvider.azure.subscriptionID': 'spec.cloudConfig.azure.subscriptionId',
  'spec.cloudProvider.azure.tenantID': 'spec.cloudConfig.azure.tenantId',
  'spec.cloudProvider.gce.pdCSIDriver': 'spec.cloudConfig.gcpPDCSIDriver',
  'spec.cloudProvider.gce.project': 'spec.project',
  'spec.cloudProvider.gce.serviceAccount': 'spec.cloudConfig.gceServiceAccount',
  'spec.cloudProvider.openstack': 'spec.cloudConfig.openstack',
  'spec.cloudProvider.openstack.blockStorage.ignoreAZ': 'spec.cloudConfig.openstack.blockStorage.ignore-volume-az',
  'spec.cloudProvider.openstack.blockStorage.version': 'spec.cloudConfig.openstack.blockStorage.bs-version',
  'spec.configStore.base': 'spec.configBase',
  'spec.configStore.keypairs': 'spec.keyStore',
  'spec.configStore.secrets': 'spec.secretStore',
  'spec.controlPlaneKubelet': 'spec.masterKubelet',
  'spec.externalDNS': 'spec.externalDns',
  'spec.etcdClusters.members': 'spec.etcdClusters.etcdMembers',
  'spec.networking.additionalNetworkCIDRs': 'spec.additionalNetworkCIDRs',
  'spec.networking.amazonVPC': 'spec.networking.amazonvpc',
  'spec.networking.egressProxy': 'spec.egressProxy',
  'spec.networking.gcp': 'spec.networking.gce',
  'spec.networking.isolateControlPlane': 'spec.isolateMasters',
  'spec.networking.kubeRouter': 'spec.networking.kuberouter',
  'spec.networking.networkCIDR': 'spec.networkCIDR',
  'spec.networking.networkID': 'spec.networkID',
  'spec.networking.nonMasqueradeCIDR': 'spec.nonMasqueradeCIDR',
  'spec.networking.podCIDR': 'spec.podCIDR',
  'spec.networking.serviceClusterIPRange': 'spec.serviceClusterIPRange',
  'spec.networking.subnets': 'spec.subnets',
  'spec.networking.topology': 'spec.topology',
  'spec.networking.topology.bastion.publicName': 'spec.topology.bastion.bastionPublicName',
  'spec.networking.topology.dns': 'spec.topology.dns.type',
  'spec.topology.bastion.publicName': 'spec.topology.bastion.bastionPublicName',
};

const INSTANCE_GROUP: Readonly<Record<string, string>> = {
  'spec.associatePublicIP': 'spec.associatePublicIp',
  'spec.rootVolume.deleteOnTermination': 'spec.rootVolumeDeleteOnTermination',
  'spec.rootVolume.encryption': 'spec.rootVolumeEncryption',
  'spec.rootVolume.encryptionKey': 'spec.rootVolumeEncryptionKey',
  'spec.rootVolume.iops': 'spec.rootVolumeIops',
  'spec.rootVolume.optimization': 'spec.rootVolumeOptimization',
  'spec.rootVolume.size': 'spec.rootVolumeSize',
  'spec.rootVolume.throughput': 'spec.rootVolumeThroughput',
  'spec.rootVolume.type': 'spec.rootVolumeType',
};

/** The path in v1alpha2 of one that is spelled as kops's newest API has it; any other path is itself. */
export function inV1alpha2(kind: string, steps: readonly Step[]): readonly Step[] {
  const table = kind === 'Cluster' ? CLUSTER : INSTANCE_GROUP;
  for (let length = steps.length; length > 0; length--) {
    const head = steps.slice(0, length);
    const names = head.flatMap((step) => ('name' in step ? [step.name] : [])).join('.');
    const moved = Object.hasOwn(table, names) ? table[names] : undefined;
    // An index belongs to the list it follows, so beginnings end at a name.
    if (moved === undefined || !('name' in (head.at(-1) ?? {}))) continue;
    const indexes = head.filter((step) => !('name' in step));
    const there = moved.split('.').map((name): Step => ({ name }));
    // Of the moved fields only one lies within a list, and its list is the second name.
    return [...there.slice(0, 2), ...indexes, ...there.slice(2), ...steps.slice(length)];
  }
  return steps;
}
