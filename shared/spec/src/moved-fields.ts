/**
 * Fields that other versions of the kops API have and v1alpha2 has elsewhere or not at all,
 * with where to write them. Paths carry no list indexes.
 */
const CLUSTER: Readonly<Record<string, string>> = {
  'spec.adminAccess': 'write spec.sshAccess and spec.kubernetesApiAccess',
  'spec.api.access': 'write spec.kubernetesApiAccess',
  'spec.api.additionalSANs': 'write spec.additionalSans',
  'spec.api.publicName': 'write spec.masterPublicName',
  'spec.cloudProvider.aws': 'write spec.cloudProvider: aws',
  'spec.configStore.base': 'write spec.configBase',
  'spec.configStore.keypairs': 'write spec.keyStore',
  'spec.configStore.secrets': 'write spec.secretStore',
  'spec.controlPlaneKubelet': 'write spec.masterKubelet',
  'spec.etcdClusters.members': 'write etcdMembers',
  'spec.masterZones': 'list the zones in spec.subnets and give each control-plane instance group its subnets',
  'spec.multizone': 'list the zones in spec.subnets',
  'spec.networking.additionalNetworkCIDRs': 'write spec.additionalNetworkCIDRs',
  'spec.networking.egressProxy': 'write spec.egressProxy',
  'spec.networking.gcp': 'write spec.networking.gce',
  'spec.networking.isolateControlPlane': 'write spec.isolateMasters',
  'spec.networking.kubeRouter': 'write spec.networking.kuberouter',
  'spec.networking.networkCIDR': 'write spec.networkCIDR',
  'spec.networking.networkID': 'write spec.networkID',
  'spec.networking.nonMasqueradeCIDR': 'write spec.nonMasqueradeCIDR',
  'spec.networking.podCIDR': 'write spec.podCIDR',
  'spec.networking.serviceClusterIPRange': 'write spec.serviceClusterIPRange',
  'spec.networking.subnets': 'write spec.subnets',
  'spec.networking.tagSubnets': 'write spec.DisableSubnetTags, which says the opposite',
  'spec.networking.topology': 'write spec.topology',
  'spec.topology.bastion.publicName': 'write spec.topology.bastion.bastionPublicName',
  'spec.topology.controlPlane': 'write spec.topology.masters',
  'spec.zones': 'list the zones in spec.subnets',
};

const INSTANCE_GROUP: Readonly<Record<string, string>> = {
  'spec.count': 'write spec.minSize and spec.maxSize',
  'spec.rootVolume': 'write spec.rootVolumeSize, spec.rootVolumeType, spec.rootVolumeIops, …',
  'spec.spotPrice': 'write spec.maxPrice',
};

/** What to write instead of a field that v1alpha2 does not have, where that is known. */
export function movedFieldHint(kind: string, path: string): string | undefined {
  const table = kind === 'Cluster' ? CLUSTER : kind === 'InstanceGroup' ? INSTANCE_GROUP : undefined;
  const plain = path.replace(/\[\d+\]/g, '');
  return table !== undefined && Object.hasOwn(table, plain) ? table[plain] : undefined;
}
