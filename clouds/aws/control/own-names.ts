import { hashedName } from '@kopsctl/model/truncated-name.ts';
import type { Tags } from '../node/tag-list.ts';

/**
 * Names of the kinds of resources that the cloud controller makes as well, for Services. It gives them the tags of the
 * cluster (cloud-provider-aws pkg/providers/v1/tags.go), so that only names tell which ones are of the model.
 */
const SECURITY_GROUPS = ['masters', 'nodes', 'bastion', 'api-elb', 'bastion-elb'] as const;
const LOAD_BALANCERS = ['api', 'bastion'] as const;
const TARGET_GROUPS = ['tcp', 'tls', 'kops-controller', 'etcd-cilium', 'bastion'] as const;

/** The tag with the Service for which something was made. A Service may choose further tags, such as a name. */
const SERVICE_TAG = 'kubernetes.io/service-name';

export type SecurityGroupPurpose = (typeof SECURITY_GROUPS)[number];
export type TargetGroupPurpose = (typeof TARGET_GROUPS)[number];

export const securityGroupName = (purpose: SecurityGroupPurpose, clusterName: string): string =>
  `${purpose}.${clusterName}`;

/** The name of its task and its tag. AWS allows 32 characters and no dots in the name of a balancer itself. */
export const loadBalancerName = (purpose: (typeof LOAD_BALANCERS)[number], clusterName: string): string =>
  `${purpose}.${clusterName}`;

export const targetGroupName = (purpose: TargetGroupPurpose, clusterName: string): string =>
  hashedName(`${purpose}-${clusterName.replaceAll('.', '-')}`, 32);

export const isOwnSecurityGroup = (tags: Tags, clusterName: string): boolean =>
  isOwn(
    tags,
    SECURITY_GROUPS.map((purpose) => securityGroupName(purpose, clusterName)),
  );

export const isOwnLoadBalancer = (tags: Tags, clusterName: string): boolean =>
  isOwn(
    tags,
    LOAD_BALANCERS.map((purpose) => loadBalancerName(purpose, clusterName)),
  );

export const isOwnTargetGroup = (tags: Tags, clusterName: string): boolean =>
  isOwn(
    tags,
    TARGET_GROUPS.map((purpose) => targetGroupName(purpose, clusterName)),
  );

const isOwn = (tags: Tags, names: readonly string[]): boolean =>
  names.includes(tags['Name'] ?? '') && tags[SERVICE_TAG] === undefined;
