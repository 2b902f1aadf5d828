import type { Cluster, ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { contains, overlaps, parseCidr } from '@kopsctl/spec/cidr.ts';
import { kubernetesFacts } from '@kopsctl/spec/kubernetes-versions.ts';
import { roleOf, usesInterfacesOfVpc } from '@kopsctl/spec/names.ts';
import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';
import { hasKarpenter } from './karpenter-groups.ts';
import { mayBeWarmed } from './machine-rules.ts';
import { validateIpv6 } from './validate-ipv6.ts';
import { validateEtcdVolumes } from './validate-etcd-volumes.ts';
import { validateLoadBalancer } from './validate-load-balancer.ts';
import { validateMachines } from './validate-machines.ts';
import { validatePlacement } from './validate-placement.ts';
import { validatePolicies } from './validate-policies.ts';
import { faultsOfSecurityGroups } from './validate-security-groups.ts';
import { validateSubnets } from './validate-subnets.ts';

/** What AWS has no way to do (kops pkg/apis/kops/validation/validation.go). */
export function* validateAws({ spec }: Cluster, groups: readonly InstanceGroup[]): Iterable<Fault> {
  const { iam, serviceAccountIssuerDiscovery: discovery } = spec;
  if (spec.clusterAutoscaler?.expander === 'price') {
    const message = 'the autoscaler does not know the prices of AWS';
    yield fault('spec.clusterAutoscaler.expander', message, 'write least-waste or priority');
  }
  yield* karpenter(spec);
  yield* storageDriver(spec);
  yield* issuerOutsideS3(spec);
  yield* providerWithoutIssuer(spec);
  yield* eventsOfQueue(spec);
  yield* namesFromAddresses(spec);
  yield* validateLoadBalancer(spec);
  yield* faultsOfSecurityGroups(
    'spec.topology.bastion.loadBalancer.additionalSecurityGroups',
    spec.topology?.bastion?.loadBalancer?.additionalSecurityGroups,
  );
  yield* imagesOfAllPools(spec);
  yield* validatePolicies(spec);
  yield* validateSubnets(spec);
  yield* validateIpv6(spec, groups);
  yield* validateEtcdVolumes(spec);
  yield* networkOfPods(spec);
  yield* sizesOfPool(spec.warmPool);
  for (const group of groups) {
    const faults = [
      ...warmPool(spec, group),
      ...validatePlacement(group, spec),
      ...validateMachines(group, spec),
      ...sharedProfile(group, groups),
    ];
    for (const one of faults) yield { ...one, instanceGroup: group.metadata.name };
  }
  if (discovery?.enableAWSOIDCProvider === true) return;
  const hint = 'set spec.serviceAccountIssuerDiscovery: discoveryStore, and enableAWSOIDCProvider: true';
  const why = 'AWS does not trust the tokens of service accounts';
  if (iam?.useServiceAccountExternalPermissions === true) {
    yield fault('spec.iam.useServiceAccountExternalPermissions', why, hint);
  }
  if ((iam?.serviceAccountExternalPermissions ?? []).length > 0) {
    yield fault('spec.iam.serviceAccountExternalPermissions', why, hint);
  }
}

/** What Karpenter needs, and what it does itself (kops pkg/apis/kops/validation/validation.go). */
function* karpenter(spec: ClusterSpec): Iterable<Fault> {
  if (!hasKarpenter(spec)) return;
  if (spec.iam?.useServiceAccountExternalPermissions !== true) {
    const why = 'it makes machines with a role of its own, and control planes do not have its permissions';
    yield fault('spec.karpenter.enabled', why, 'set spec.iam.useServiceAccountExternalPermissions: true');
  }
  if (spec.nodeTerminationHandler?.enabled === true) {
    const why = 'Karpenter drains its machines itself';
    yield fault('spec.nodeTerminationHandler.enabled', why, 'remove it, or spec.karpenter');
  }
}

/** Since Kubernetes has no driver of its own for volumes of EBS (kops pkg/apis/kops/validation/aws.go). */
function* storageDriver({ cloudConfig, kubernetesVersion = '' }: ClusterSpec): Iterable<Fault> {
  if (cloudConfig?.awsEBSCSIDriver?.enabled !== false) return;
  if (kubernetesFacts(kubernetesVersion)?.externalCloudProvider !== true) return;
  yield fault(
    'spec.cloudConfig.awsEBSCSIDriver.enabled',
    `Kubernetes ${kubernetesVersion} makes no volumes of EBS without the driver`,
    'remove this field, or write managed: false beside enabled: true if you install it yourself',
  );
}

/**
 * The address of a bucket of S3 is what the tokens of service accounts name as their issuer (kops
 * pkg/apis/kops/validation/legacy.go). memfs stands for one in recorded specs of kops.
 */
function* issuerOutsideS3({ serviceAccountIssuerDiscovery: discovery }: ClusterSpec): Iterable<Fault> {
  const { discoveryStore = '' } = discovery ?? {};
  if (discoveryStore === '') return;
  const path = 'spec.serviceAccountIssuerDiscovery.discoveryStore';
  const [, scheme, bucket = ''] = /^([a-z0-9]+):\/\/([^/]+)/.exec(discoveryStore) ?? [];
  if (scheme !== 's3' && scheme !== 'memfs') {
    yield fault(
      path,
      `'${discoveryStore}' is not in S3`,
      'write the URL of a folder in a public bucket: s3://BUCKET/CLUSTER',
    );
  } else if (scheme === 's3' && bucket.includes('.')) {
    const why = `the certificate of S3 does not cover a bucket with a dot in its name (${bucket})`;
    yield fault(path, why, 'use a bucket without one');
  }
}

/** AWS reads the keys of the issuer, so it has to be one that AWS reaches (kops pkg/apis/kops/validation/legacy.go). */
function* providerWithoutIssuer({ serviceAccountIssuerDiscovery: discovery = {} }: ClusterSpec): Iterable<Fault> {
  const { enableAWSOIDCProvider, discoveryStore = '', discoveryService } = discovery;
  if (enableAWSOIDCProvider !== true || discoveryStore !== '' || discoveryService !== undefined) return;
  yield fault(
    'spec.serviceAccountIssuerDiscovery.enableAWSOIDCProvider',
    'AWS finds no keys of the issuer: nothing says where they are published',
    'set discoveryStore beside it: s3://BUCKET/CLUSTER',
  );
}

/** What the termination handler always or never does where it reads events from a queue (kops pkg/apis/kops/validation/validation.go). */
function* eventsOfQueue({ nodeTerminationHandler: handler = {} }: ClusterSpec): Iterable<Fault> {
  if (handler.enabled !== true || handler.enableSQSTerminationDraining === false) return;
  const path = 'spec.nodeTerminationHandler';
  if (handler.enableSpotInterruptionDraining === false) {
    const message = 'a machine whose interruption is in the queue is always drained';
    yield fault(
      `${path}.enableSpotInterruptionDraining`,
      message,
      'set enableSQSTerminationDraining: false, or remove it',
    );
  }
  if (handler.enableRebalanceMonitoring === true && handler.enableRebalanceDraining !== true) {
    const message = 'a machine whose rebalance event is in the queue can only be drained';
    yield fault(`${path}.enableRebalanceMonitoring`, message, 'set enableRebalanceDraining: true, or remove it');
  }
}

/** In a subnet without IPv4 an instance's private name can only be that of its id (EC2 user guide, "Instance hostnames"). */
function* namesFromAddresses({ cloudConfig, subnets = [] }: ClusterSpec): Iterable<Fault> {
  const without = subnets.find(({ cidr, ipv6CIDR }) => cidr === undefined && ipv6CIDR !== undefined);
  if (cloudConfig?.useIPBasedNodeNames !== true || without === undefined) return;
  yield fault(
    'spec.cloudConfig.useIPBasedNodeNames',
    `machines in subnet ${without.name} have no IPv4 address to be named after`,
    'remove it, or give the subnet a cidr',
  );
}

/** kops pkg/apis/kops/validation/validation.go: what machines run differs between groups. */
function* imagesOfAllPools({ warmPool }: ClusterSpec): Iterable<Fault> {
  if (warmPool?.additionalImages === undefined) return;
  yield fault(
    'spec.warmPool.additionalImages',
    'images are pulled for the warm pool of one instance group',
    'set spec.warmPool.additionalImages of the instance group',
  );
}

/**
 * Ranges whose addresses are not masqueraded are those of pods and Services. The VPC has ranges of its own, unless its
 * addresses are those of pods (kops pkg/apis/kops/validation/validation.go).
 */
function* networkOfPods(spec: ClusterSpec): Iterable<Fault> {
  const { nonMasqueradeCIDR = '', networkCIDR, additionalNetworkCIDRs = [] } = spec;
  if (usesInterfacesOfVpc(spec)) return;
  const outer = parseCidr(nonMasqueradeCIDR);
  const { podCIDR = '', kubeControllerManager: { clusterCIDR = '' } = {} } = spec;
  for (const [path, text] of [
    ['spec.podCIDR', podCIDR],
    // Completion makes it the same as podCIDR.
    ['spec.kubeControllerManager.clusterCIDR', clusterCIDR === podCIDR ? '' : clusterCIDR],
  ] as const) {
    const pods = parseCidr(text);
    if (outer === undefined || pods === undefined || contains(outer, pods)) continue;
    yield fault(path, `${text} is not within spec.nonMasqueradeCIDR (${nonMasqueradeCIDR})`);
  }
  for (const text of [networkCIDR ?? '', ...additionalNetworkCIDRs]) {
    const range = parseCidr(text);
    if (outer === undefined || range === undefined || !overlaps(outer, range)) continue;
    yield fault(
      'spec.nonMasqueradeCIDR',
      `${nonMasqueradeCIDR} overlaps ${text}, a range of the VPC`,
      'give pods and Services a range of their own; only with amazonvpc or cilium.ipam: eni do pods have addresses of the VPC',
    );
  }
}

/** By its profile a machine proves its role: one of control planes would give workers all of their rights (kops pkg/model/awsmodel/iam.go). */
function* sharedProfile(group: InstanceGroup, groups: readonly InstanceGroup[]): Iterable<Fault> {
  const profile = group.spec.iam?.profile;
  const first = groups.find(({ spec }) => profile !== undefined && spec.iam?.profile === profile);
  if (first === undefined || roleOf(first) === roleOf(group)) return;
  const message = `a group of another role (${roleOf(first)}) has this profile too`;
  yield fault('spec.iam.profile', message, 'make a profile for each role');
}

/** kops pkg/apis/kops/validation/instancegroup.go. */
function* warmPool({ warmPool: ofCluster }: ClusterSpec, group: InstanceGroup): Iterable<Fault> {
  const own = group.spec.warmPool;
  const { minSize, maxSize } = { ...ofCluster, ...own };
  if ((ofCluster === undefined && own === undefined) || maxSize === 0) return;
  if (own !== undefined && !mayBeWarmed(group)) {
    yield fault('spec.warmPool', 'only groups of workers and API servers can have a warm pool', 'remove this field');
  } else if (roleOf(group) === 'Node' && group.spec.maxPrice !== undefined) {
    yield fault('spec.maxPrice', 'machines of a warm pool cannot be spot machines', 'set spec.warmPool.maxSize: 0');
  }
  if (own !== undefined) yield* sizesOfPool({ minSize, maxSize });
}

interface PoolSizes {
  readonly minSize?: number | undefined;
  readonly maxSize?: number | undefined;
}

function* sizesOfPool({ minSize = 0, maxSize }: PoolSizes = {}): Iterable<Fault> {
  if (minSize < 0) yield fault('spec.warmPool.minSize', `${minSize} is less than 0`);
  if (maxSize !== undefined && maxSize !== 0 && maxSize < minSize) {
    yield fault('spec.warmPool.maxSize', `${maxSize} is less than minSize (${minSize})`);
  }
}
