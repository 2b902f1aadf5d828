import { API_LOAD_BALANCER, AUTHORITY_CA } from '@kopsctl/node-plan/boot-config.ts';
import type { Addon } from '@kopsctl/model/addons/addon.ts';
import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { completedValue } from '@kopsctl/model/completed-value.ts';
import { groupMarks, wishedKubelet } from '@kopsctl/model/store/node-marks.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { usesInterfacesOfVpc } from '@kopsctl/spec/names.ts';
import type { JsonObject } from '@kopsctl/tasks/task.ts';
import { CLUSTER_TAG } from '../../node/ownership.ts';
import { hasKarpenter } from '../karpenter-groups.ts';
import { karpenterLifetime } from '../karpenter-lifetime.ts';
import { findImage } from '../image-name.ts';
import { rootDeviceOf } from '../root-device.ts';
import { isOwn, isPublic } from '../subnet-kinds.ts';
import { volumeSpeed } from '../volume-speed.ts';
import { architectureOf } from '../architecture.ts';
import { type AwsContext, awsContext, subnetsOf } from './aws-context.ts';
import { isScaledByAws } from './group-names.ts';
import { groupTags } from './group-tags.ts';
import { instanceProfileName } from './iam/machine-roles.ts';
import { machineTypes } from './launch-template.ts';
import { securityGroupOf } from './security-groups.ts';

const OF_AWS = 'karpenter.k8s.aws';
/** Karpenter sets these itself and refuses them (its kind EC2NodeClass). */
const OWN_TAGS =
  /^(kubernetes\.io\/cluster|eks:eks-cluster-name$|karpenter\.sh\/node(pool|claim)$|karpenter\.k8s\.aws\/)/;
const OWN_LABELS = /^([^/]+\.)?karpenter\.(sh|k8s\.aws)\/|^kubernetes\.io\/hostname$/;
/** What protokube's leader calls the CA of node authorities. */
const CA_FACT = 'nodeAuthorityCa';
/** kubelet's own default. Karpenter would count the addresses of the machine's interfaces instead. */
const PODS = 110;

/**
 * What Karpenter makes machines of: for each of its groups a class, which says how machines boot, and a pool, which says which
 * machines (kops upup/pkg/fi/cloudup/template_functions_karpenter.go). Its kinds have no defaults here, so those of its own are
 * written down.
 *
 * @param userDataOf what machines of a group boot with
 */
export function karpenterPools(
  facts: ClusterFacts,
  groups: readonly InstanceGroup[],
  userDataOf: (group: InstanceGroup) => string | undefined,
): readonly Addon[] {
  if (!hasKarpenter(facts.spec)) return [];
  const context = awsContext(facts, groups);
  const objects = groups
    .filter((group) => !isScaledByAws(group))
    .flatMap((group): readonly AddonObject[] => {
      const userData = userDataOf(group);
      // karpenter-left-out.ts explains why: control planes do not know the name of the load balancer, and Karpenter no subnets.
      const isMade = userData?.includes(API_LOAD_BALANCER) === false && subnetTerms(context, group).length > 0;
      if (!isMade) return [];
      return [nodeClass(context, group, userData), nodePool(context, group)];
    });
  if (objects.length === 0) return [];
  return [{ name: 'nodepools.karpenter.sh', id: 'v1', objects, needsFacts: [CA_FACT] }];
}

function nodeClass(context: AwsContext, group: InstanceGroup, userData: string): AddonObject {
  const { spec } = group;
  const subnets = subnetsOf(context, group);
  const ipv6 = subnets.some(({ ipv6CIDR }) => ipv6CIDR !== undefined && ipv6CIDR !== '');
  return {
    apiVersion: `${OF_AWS}/v1`,
    kind: 'EC2NodeClass',
    metadata: { name: group.metadata.name },
    spec: {
      // The machine is set up by what is in the user data alone.
      amiFamily: 'Custom',
      amiSelectorTerms: [imageTerm(spec.image ?? '')],
      associatePublicIPAddress: subnets.every(isPublic) && spec.associatePublicIp === true,
      blockDeviceMappings: volumes(group),
      detailedMonitoring: spec.detailedInstanceMonitoring === true,
      instanceProfile: instanceProfileName(context, group),
      kubelet: kubeletOf(context, group),
      metadataOptions: {
        httpEndpoint: 'enabled',
        httpProtocolIPv6: ipv6 ? 'enabled' : 'disabled',
        httpPutResponseHopLimit: completedValue(
          'spec.instanceMetadata.httpPutResponseHopLimit',
          spec.instanceMetadata?.httpPutResponseHopLimit,
        ),
        httpTokens: completedValue('spec.instanceMetadata.httpTokens', spec.instanceMetadata?.httpTokens),
      },
      securityGroupSelectorTerms: [
        securityGroupTerm(context, group),
        ...(spec.additionalSecurityGroups ?? []).map((id) => ({ id })),
      ],
      subnetSelectorTerms: subnetTerms(context, group),
      tags: without(OWN_TAGS, groupTags(context, group)),
      // protokube's leader knows the CA, which is created with the cluster.
      userData: userData.replaceAll(AUTHORITY_CA, `@{${CA_FACT}}`),
    },
  };
}

/** Subnets of the cluster have a tag for each group of Karpenter; others are named. */
function subnetTerms(context: AwsContext, group: InstanceGroup): readonly JsonObject[] {
  const { clusterName, spec } = context.facts;
  const subnets = subnetsOf(context, group);
  const tags = { [CLUSTER_TAG]: clusterName, [`kops.k8s.io/instance-group/${group.metadata.name}`]: 'true' };
  return [
    ...(subnets.some(isOwn) && spec.DisableSubnetTags !== true ? [{ tags }] : []),
    ...subnets.filter((subnet) => !isOwn(subnet)).map(({ id = '' }) => ({ id })),
  ];
}

function imageTerm(image: string): JsonObject {
  const found = findImage(image);
  switch (found.by) {
    case 'id':
      return { id: found.id };
    case 'parameter':
      return { ssmParameter: found.parameter };
    case 'name':
      return { name: found.name, owner: found.owner };
  }
}

function securityGroupTerm(context: AwsContext, group: InstanceGroup): JsonObject {
  const override = group.spec.securityGroupOverride;
  if (override !== undefined) return { id: override };
  return { tags: { [CLUSTER_TAG]: context.facts.clusterName, Name: securityGroupOf(context, group).name } };
}

/** Without a mapping of its root device, a machine has the volume that its image describes. */
function volumes({ spec }: InstanceGroup): readonly JsonObject[] {
  const device = rootDeviceOf(spec.image ?? '');
  const type = completedValue('spec.rootVolumeType', spec.rootVolumeType);
  const key = spec.rootVolumeEncryption === true ? spec.rootVolumeEncryptionKey : undefined;
  const root = {
    deviceName: device ?? '',
    rootVolume: true,
    ebs: {
      deleteOnTermination: spec.rootVolumeDeleteOnTermination === true,
      encrypted: spec.rootVolumeEncryption === true,
      ...speed(type, spec.rootVolumeIops, spec.rootVolumeThroughput),
      ...(key === undefined || key === '' ? {} : { kmsKeyID: key }),
      volumeSize: `${completedValue('spec.rootVolumeSize', spec.rootVolumeSize)}Gi`,
      volumeType: type,
    },
  };
  const more = (spec.volumes ?? []).map((volume) => {
    const volumeType = completedValue('spec.volumes[].type', volume.type);
    return {
      deviceName: volume.device ?? '',
      ebs: {
        deleteOnTermination: volume.deleteOnTermination === true,
        encrypted: volume.encrypted === true,
        ...speed(volumeType, volume.iops, volume.throughput),
        ...(volume.key === undefined ? {} : { kmsKeyID: volume.key }),
        volumeSize: `${volume.size ?? 0}Gi`,
        volumeType,
      },
    };
  });
  return [...(device === undefined ? [] : [root]), ...more];
}

const speed = (type: string, iops: number | undefined, throughput: number | undefined): JsonObject => ({
  ...volumeSpeed(type, iops, throughput),
});

/** What Karpenter needs to know of kubelet to count what fits on a machine. */
function kubeletOf({ facts }: AwsContext, group: InstanceGroup): JsonObject {
  const { maxPods, systemReserved, kubeReserved } = wishedKubelet(facts, group);
  const pods = maxPods ?? (usesInterfacesOfVpc(facts.spec) ? undefined : PODS);
  return {
    ...(pods === undefined ? {} : { maxPods: pods }),
    ...(systemReserved === undefined ? {} : { systemReserved }),
    ...(kubeReserved === undefined ? {} : { kubeReserved }),
  };
}

function nodePool({ facts }: AwsContext, group: InstanceGroup): AddonObject {
  const { spec, metadata } = group;
  const { labels, taints } = groupMarks(facts, group);
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: metadata.name },
    spec: {
      ...(spec.minSize !== undefined && spec.minSize > 0 ? { replicas: spec.minSize } : {}),
      ...(spec.maxSize === undefined ? {} : { limits: { nodes: String(spec.maxSize) } }),
      disruption: {
        budgets: [{ nodes: '10%' }],
        consolidateAfter: '0s',
        consolidationPolicy: 'WhenEmptyOrUnderutilized',
      },
      template: {
        metadata: { labels: without(OWN_LABELS, labels) },
        spec: {
          expireAfter: karpenterLifetime(spec),
          nodeClassRef: { group: OF_AWS, kind: 'EC2NodeClass', name: metadata.name },
          requirements: requirements(group),
          taints: taints.map((taint) => ({ ...taint })),
        },
      },
    },
  };
}

/** Machines have the architecture of the programs in their user data. */
function requirements(group: InstanceGroup): readonly JsonObject[] {
  const mixture = group.spec.mixedInstancesPolicy?.instances ?? [];
  const types = [...new Set([...mixture, ...machineTypes(group)].map((type) => type.trim()))].toSorted();
  const oneOf = (key: string, values: readonly string[]) => ({ key, operator: 'In', values });
  const [first] = machineTypes(group);
  return [
    oneOf('kubernetes.io/os', ['linux']),
    oneOf('kubernetes.io/arch', [first === undefined ? 'amd64' : architectureOf(first)]),
    ...(types.length === 0 ? [] : [oneOf('node.kubernetes.io/instance-type', types)]),
    oneOf('karpenter.sh/capacity-type', purchases(group)),
  ];
}

/** How machines are bought: on demand, unless the group asks for spot machines. */
function purchases({ spec }: InstanceGroup): readonly string[] {
  if (spec.maxPrice !== undefined || spec.spotDurationInMinutes !== undefined) return ['spot'];
  const { onDemandAboveBase } = spec.mixedInstancesPolicy ?? {};
  return onDemandAboveBase !== undefined && onDemandAboveBase < 100 ? ['on-demand', 'spot'] : ['on-demand'];
}

const without = (names: RegExp, values: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.test(name)));
