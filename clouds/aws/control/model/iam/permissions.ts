import { CLUSTER_TAG } from '../../../node/ownership.ts';
import { usesCloudRoutes, usesInterfacesOfVpc } from '@kopsctl/spec/names.ts';
import type { AwsContext } from '../aws-context.ts';
import { hostedZone } from '../dns.ts';
import { servicesDomainOf } from '../../region.ts';

import { allow, type Permissions } from './policy.ts';

/** The API calls of each component (kops pkg/model/iam/iam_builder.go, and the documentation of the components). */

/** Find and attach the volumes of etcd, detach them from a machine that is shut down for good, and find the other machines. */
export function etcdVolumes({ facts }: AwsContext): Permissions {
  return {
    anywhere: ['ec2:DescribeInstances', 'ec2:DescribeVolumes'],
    statements: allow(['ec2:AttachVolume', 'ec2:DetachVolume'], ['*'], {
      StringEquals: {
        [`aws:ResourceTag/${CLUSTER_TAG}`]: facts.clusterName,
        'aws:ResourceTag/k8s.io/role/master': '1',
      },
    }),
  };
}

const KMS_USES = ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*'];
const GRANTS = allow(['kms:CreateGrant'], '*', { Bool: { 'kms:GrantIsForAWSResource': 'true' } });

/** Use keys for encrypted volumes and buckets, only through those services. */
export function encryption({ region }: AwsContext): Permissions {
  const domain = servicesDomainOf(region);
  return {
    statements: [
      ...GRANTS,
      ...allow(KMS_USES, '*', { StringLike: { 'kms:ViaService': [`ec2.${region}.${domain}`, `s3.*.${domain}`] } }),
    ],
  };
}

/** The same for machines with an API server, whose encryptionConfig may name a plugin that itself calls KMS. */
export const encryptionOfApi = (context: AwsContext): Permissions =>
  context.facts.spec.encryptionConfig === true ? { anywhere: KMS_USES, statements: GRANTS } : encryption(context);

/** Manage the names of the cluster in its hosted zone. */
export function dnsRecords(context: AwsContext): Permissions {
  return {
    statements: [
      ...allow(
        ['route53:ChangeResourceRecordSets', 'route53:GetHostedZone', 'route53:ListResourceRecordSets'],
        [hostedZone(context, 'arn')],
      ),
      ...allow(['route53:GetChange'], [`arn:${context.partition}:route53:::change/*`]),
      ...allow(['route53:ListHostedZones', 'route53:ListTagsForResource'], ['*']),
    ],
  };
}

export const CONTAINER_REGISTRY: Permissions = {
  anywhere: [
    'ecr:BatchCheckLayerAvailability',
    'ecr:BatchGetImage',
    'ecr:DescribeRepositories',
    'ecr:GetAuthorizationToken',
    'ecr:GetDownloadUrlForLayer',
    'ecr:GetRepositoryPolicy',
    'ecr:ListImages',
  ],
};

/** Fill the cache of the registry with images of other registries, where nodes pull through it. */
export const REGISTRY_AS_CACHE: Permissions = {
  anywhere: ['ecr:BatchImportUpstreamImage', 'ecr:CreateRepository', 'ecr:ReplicateImage', 'ecr:TagResource'],
};

/** Say that a machine of a warm pool is prepared. */
export const WARMED_UP: Permissions = {
  anywhere: ['autoscaling:DescribeLifecycleHooks'],
  onTagged: ['autoscaling:CompleteLifecycleAction'],
};

/** An API server that cannot find etcd by DNS or gossip finds it by the attachments of etcd's volumes. */
export const ETCD_MEMBERS: Permissions = { anywhere: ['ec2:DescribeInstances', 'ec2:DescribeVolumes'] };

/** Assign IPv6 prefixes to machines, for the addresses of their pods. */
export const IPV6_PREFIXES: Permissions = { anywhere: ['ec2:AssignIpv6Addresses'] };

/** What a machine asks of its own type: whether it has GPUs (kops pkg/model/iam/iam_builder.go), and addresses for how many pods. */
export const INSTANCE_TYPES: Permissions = { anywhere: ['ec2:DescribeInstanceTypes'] };

export const IPV6_PREFIXES_OF_OTHERS: Permissions = {
  anywhere: ['ec2:AssignIpv6Addresses', 'ec2:DescribeNetworkInterfaces'],
};

export function cloudControllerManager({ facts }: AwsContext): Permissions {
  return {
    anywhere: [
      'autoscaling:DescribeAutoScalingGroups',
      'autoscaling:DescribeTags',
      'ec2:DescribeAvailabilityZones',
      'ec2:DescribeInstanceTopology',
      'ec2:DescribeInstances',
      'ec2:DescribeRegions',
      'ec2:DescribeRouteTables',
      'ec2:DescribeSecurityGroups',
      'ec2:DescribeSubnets',
      'ec2:DescribeVpcs',
      'elasticloadbalancing:DescribeListeners',
      'elasticloadbalancing:DescribeLoadBalancerAttributes',
      'elasticloadbalancing:DescribeLoadBalancerPolicies',
      'elasticloadbalancing:DescribeLoadBalancers',
      'elasticloadbalancing:DescribeTargetGroupAttributes',
      'elasticloadbalancing:DescribeTargetGroups',
      'elasticloadbalancing:DescribeTargetHealth',
      'iam:CreateServiceLinkedRole',
      'kms:DescribeKey',
    ],
    onTagged: [
      'ec2:AuthorizeSecurityGroupIngress',
      'ec2:DeleteSecurityGroup',
      'ec2:ModifyInstanceAttribute',
      'ec2:RevokeSecurityGroupIngress',
      'elasticloadbalancing:AddTags',
      'elasticloadbalancing:ApplySecurityGroupsToLoadBalancer',
      'elasticloadbalancing:AttachLoadBalancerToSubnets',
      'elasticloadbalancing:ConfigureHealthCheck',
      'elasticloadbalancing:CreateLoadBalancerListeners',
      'elasticloadbalancing:CreateLoadBalancerPolicy',
      'elasticloadbalancing:DeleteListener',
      'elasticloadbalancing:DeleteLoadBalancer',
      'elasticloadbalancing:DeleteLoadBalancerListeners',
      'elasticloadbalancing:DeleteTargetGroup',
      'elasticloadbalancing:DeregisterInstancesFromLoadBalancer',
      'elasticloadbalancing:DeregisterTargets',
      'elasticloadbalancing:DetachLoadBalancerFromSubnets',
      'elasticloadbalancing:ModifyListener',
      'elasticloadbalancing:ModifyLoadBalancerAttributes',
      'elasticloadbalancing:ModifyTargetGroup',
      'elasticloadbalancing:ModifyTargetGroupAttributes',
      'elasticloadbalancing:RegisterInstancesWithLoadBalancer',
      'elasticloadbalancing:RegisterTargets',
      'elasticloadbalancing:SetLoadBalancerPoliciesForBackendServer',
      'elasticloadbalancing:SetLoadBalancerPoliciesOfListener',
      ...(usesCloudRoutes(facts.spec) ? ['ec2:CreateRoute', 'ec2:DeleteRoute'] : []),
      ...(facts.spec.cloudConfig?.nlbSecurityGroupMode === 'Managed' ? ['elasticloadbalancing:SetSecurityGroups'] : []),
    ],
    whenTagging: [
      'elasticloadbalancing:CreateListener',
      'elasticloadbalancing:CreateLoadBalancer',
      'elasticloadbalancing:CreateTargetGroup',
    ],
    ec2Creates: [{ calls: ['CreateSecurityGroup'], resources: ['security-group'] }],
  };
}

export function ebsCsiDriver(context: AwsContext): Permissions {
  const snapshots = context.facts.spec.snapshotController?.enabled === true;
  return {
    anywhere: [
      'ec2:DescribeAvailabilityZones',
      'ec2:DescribeInstanceTypes',
      'ec2:DescribeInstances',
      'ec2:DescribeTags',
      'ec2:DescribeVolumeStatus',
      'ec2:DescribeVolumes',
      'ec2:DescribeVolumesModifications',
      ...(snapshots ? ['ec2:DescribeSnapshots'] : []),
    ],
    onTagged: [
      'ec2:AttachVolume',
      'ec2:DeleteVolume',
      'ec2:DetachVolume',
      'ec2:ModifyVolume',
      ...(snapshots ? ['ec2:DeleteSnapshot', 'ec2:EnableFastSnapshotRestores'] : []),
    ],
    ec2Creates: [
      {
        calls: ['CopyVolumes', 'CreateVolume', ...(snapshots ? ['CreateSnapshot'] : [])],
        resources: ['snapshot', 'volume'],
      },
    ],
  };
}

export const NODE_TERMINATION_HANDLER: Permissions = {
  anywhere: [
    'autoscaling:DescribeAutoScalingInstances',
    'autoscaling:DescribeTags',
    'ec2:DescribeInstances',
    'sqs:DeleteMessage',
    'sqs:ReceiveMessage',
  ],
  onTagged: ['autoscaling:CompleteLifecycleAction'],
};

export const CLUSTER_AUTOSCALER: Permissions = {
  anywhere: [
    'autoscaling:DescribeAutoScalingGroups',
    'autoscaling:DescribeAutoScalingInstances',
    'autoscaling:DescribeLaunchConfigurations',
    'autoscaling:DescribeScalingActivities',
    'autoscaling:DescribeTags',
    'ec2:DescribeImages',
    'ec2:DescribeInstanceTypes',
    'ec2:DescribeLaunchTemplateVersions',
    'ec2:GetInstanceTypesFromInstanceRequirements',
  ],
  onTagged: ['autoscaling:SetDesiredCapacity', 'autoscaling:TerminateInstanceInAutoScalingGroup'],
};

const OF_WAF = ['AssociateWebACL', 'DisassociateWebACL', 'GetWebACL', 'GetWebACLForResource'];
const OF_SHIELD = ['CreateProtection', 'DeleteProtection', 'DescribeProtection', 'GetSubscriptionState'];

/** What the controller does, and what the spec lets it do beyond that. */
export function loadBalancerController({ facts }: AwsContext): readonly Permissions[] {
  const { enableWAF, enableWAFv2, enableShield } = facts.spec.awsLoadBalancerController ?? {};
  const anywhere = [
    ...(enableWAF || enableWAFv2 ? ['elasticloadbalancing:SetWebACL'] : []),
    ...(enableWAF ? OF_WAF.map((action) => `waf-regional:${action}`) : []),
    ...(enableWAFv2 ? OF_WAF.map((action) => `wafv2:${action}`) : []),
    ...(enableShield ? OF_SHIELD.map((action) => `shield:${action}`) : []),
  ];
  return [LOAD_BALANCER_CONTROLLER, { anywhere }];
}

const LOAD_BALANCER_CONTROLLER: Permissions = {
  anywhere: [
    'acm:DescribeCertificate',
    'acm:ListCertificates',
    'cognito-idp:DescribeUserPoolClient',
    'ec2:DescribeAccountAttributes',
    'ec2:DescribeAvailabilityZones',
    'ec2:DescribeInstances',
    'ec2:DescribeInternetGateways',
    'ec2:DescribeNetworkInterfaces',
    'ec2:DescribeSecurityGroups',
    'ec2:DescribeSubnets',
    'ec2:DescribeVpcPeeringConnections',
    'ec2:DescribeVpcs',
    'ec2:GetSecurityGroupsForVpc',
    'elasticloadbalancing:DescribeCapacityReservation',
    'elasticloadbalancing:DescribeListenerAttributes',
    'elasticloadbalancing:DescribeListenerCertificates',
    'elasticloadbalancing:DescribeListeners',
    'elasticloadbalancing:DescribeLoadBalancerAttributes',
    'elasticloadbalancing:DescribeLoadBalancers',
    'elasticloadbalancing:DescribeRules',
    'elasticloadbalancing:DescribeTags',
    'elasticloadbalancing:DescribeTargetGroupAttributes',
    'elasticloadbalancing:DescribeTargetGroups',
    'elasticloadbalancing:DescribeTargetHealth',
    'elasticloadbalancing:DescribeTrustStores',
    'elasticloadbalancing:SetRulePriorities',
  ],
  onTagged: [
    'ec2:AuthorizeSecurityGroupIngress',
    'ec2:DeleteSecurityGroup',
    'ec2:RevokeSecurityGroupIngress',
    'elasticloadbalancing:AddListenerCertificates',
    'elasticloadbalancing:AddTags',
    'elasticloadbalancing:DeleteListener',
    'elasticloadbalancing:DeleteLoadBalancer',
    'elasticloadbalancing:DeleteRule',
    'elasticloadbalancing:DeleteTargetGroup',
    'elasticloadbalancing:DeregisterTargets',
    'elasticloadbalancing:ModifyCapacityReservation',
    'elasticloadbalancing:ModifyListener',
    'elasticloadbalancing:ModifyListenerAttributes',
    'elasticloadbalancing:ModifyLoadBalancerAttributes',
    'elasticloadbalancing:ModifyRule',
    'elasticloadbalancing:ModifyTargetGroup',
    'elasticloadbalancing:ModifyTargetGroupAttributes',
    'elasticloadbalancing:RegisterTargets',
    'elasticloadbalancing:RemoveListenerCertificates',
    'elasticloadbalancing:RemoveTags',
    'elasticloadbalancing:SetIpAddressType',
    'elasticloadbalancing:SetSecurityGroups',
    'elasticloadbalancing:SetSubnets',
  ],
  whenTagging: [
    'elasticloadbalancing:CreateListener',
    'elasticloadbalancing:CreateLoadBalancer',
    'elasticloadbalancing:CreateRule',
    'elasticloadbalancing:CreateTargetGroup',
  ],
  ec2Creates: [{ calls: ['CreateSecurityGroup'], resources: ['security-group'] }],
};

/** Reads, which cannot be restricted. */
const ENI_READS = [
  'ec2:DescribeInstanceTypes',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSecurityGroups',
  'ec2:DescribeSubnets',
  'ec2:DescribeTags',
];

const ENI_CHANGES = [
  'ec2:AssignPrivateIpAddresses',
  'ec2:AttachNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:DetachNetworkInterface',
  'ec2:ModifyNetworkInterfaceAttribute',
  'ec2:UnassignPrivateIpAddresses',
];

/** The tag with which the plugin of amazonvpc marks the interfaces that it manages. */
const PLUGIN_TAG = 'cluster.k8s.amazonaws.com/name';

/** What a pod network needs of EC2 on every machine. */
export function networkPlugin(context: AwsContext): Permissions {
  const { amazonvpc, calico } = context.facts.spec.networking ?? {};
  if (amazonvpc !== undefined) return amazonVpc(context);
  if (usesInterfacesOfVpc(context.facts.spec)) return INSTANCE_TYPES;
  const check = calico?.awsSrcDstCheck;
  return check === undefined || check === 'DoNothing' ? {} : withoutAddressCheck(context);
}

/**
 * Manage network interfaces, for pods with addresses of the VPC (aws/amazon-vpc-cni-k8s docs/iam-policy.md, the policy for
 * one cluster). Every machine has these permissions, so they are limited to interfaces of the cluster: with a tag on an
 * instance, a machine could call itself one of another group. Interfaces that come with a machine have the cluster's tag
 * from its launch template; the plugin adds its own.
 */
function amazonVpc({ facts, partition }: AwsContext): Permissions {
  const { env = [] } = facts.spec.networking?.amazonvpc ?? {};
  const name = env.findLast((one) => one.name === 'CLUSTER_NAME')?.value ?? facts.clusterName;
  const arns = (...types: readonly string[]) => types.map((type) => `arn:${partition}:ec2:*:*:${type}/*`);
  const ofPlugin = { [`aws:ResourceTag/${PLUGIN_TAG}`]: name };
  const ofCluster = { [`aws:ResourceTag/${CLUSTER_TAG}`]: facts.clusterName };
  const requested = { [`aws:RequestTag/${PLUGIN_TAG}`]: name };
  const interfaces = arns('network-interface');
  return {
    anywhere: ['ec2:DescribeInstances', ...ENI_READS],
    statements: [
      ...allow(['ec2:CreateNetworkInterface'], interfaces, { StringEquals: requested }),
      ...allow(['ec2:CreateNetworkInterface'], arns('security-group', 'subnet')),
      ...allow(['ec2:CreateTags'], interfaces, {
        StringEquals: { ...requested, 'ec2:CreateAction': 'CreateNetworkInterface' },
      }),
      ...[ofPlugin, ofCluster].flatMap((StringEquals) =>
        allow(['ec2:CreateTags', ...ENI_CHANGES], interfaces, { StringEquals }),
      ),
      ...allow(
        ['ec2:AttachNetworkInterface', 'ec2:DetachNetworkInterface', 'ec2:ModifyNetworkInterfaceAttribute'],
        arns('instance'),
        { StringEquals: ofCluster },
      ),
      // The security groups that an interface is given.
      ...allow(['ec2:ModifyNetworkInterfaceAttribute'], arns('security-group')),
    ],
  };
}

/** Let a machine forward packets of its pods. */
function withoutAddressCheck({ facts, partition }: AwsContext): Permissions {
  const arns = ['instance', 'network-interface'].map((type) => `arn:${partition}:ec2:*:*:${type}/*`);
  const StringEquals = { [`aws:ResourceTag/${CLUSTER_TAG}`]: facts.clusterName };
  return {
    anywhere: ['ec2:DescribeInstances'],
    statements: allow(['ec2:ModifyNetworkInterfaceAttribute'], arns, { StringEquals }),
  };
}

/**
 * What a pod network does for all machines from control planes. The operator of Cilium manages their network interfaces; agents
 * do not call EC2 (Cilium's documentation of IPAM by AWS ENI). kube-router turns off the check of sources of all machines
 * wherever it may (its pkg/controllers/routing/aws.go): kops lets every machine do that, and by the same call a worker could
 * put a control plane into other security groups.
 */
export function networkOperator({ facts, partition }: AwsContext): Permissions {
  if (facts.spec.networking?.kuberouter !== undefined) {
    return {
      statements: allow(['ec2:ModifyInstanceAttribute'], [`arn:${partition}:ec2:*:*:instance/*`], {
        StringEquals: { [`aws:ResourceTag/${CLUSTER_TAG}`]: facts.clusterName },
      }),
    };
  }
  if (facts.spec.networking?.cilium?.ipam !== 'eni') return {};
  return {
    anywhere: ['ec2:CreateNetworkInterface', 'ec2:DescribeVpcs', ...ENI_READS, ...ENI_CHANGES],
    statements: allow(['ec2:CreateTags'], [`arn:${partition}:ec2:*:*:network-interface/*`]),
  };
}
