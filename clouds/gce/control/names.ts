import { truncatedName } from '@kopsctl/model/truncated-name.ts';
import type { ClusterSubnetSpec } from '@kopsctl/spec/cluster.ts';
import { clusterLabel } from '../node/labels.ts';

/** The limit of RFC 1035, which applies to names of resources and network tags. */
export const LONGEST_NAME = 63;
/** If less is left for the name of the cluster, kops makes no name from it (upup/pkg/fi/cloudup/gce/utils.go). */
export const LEAST_ROOM = 10;
/** Google's limit of the id of a service account. */
export const LONGEST_ACCOUNT_ID = 30;
/** Terraform and the API add a suffix of their own to the name of a template (kops upup/pkg/fi/cloudup/gce/instancegroups.go). */
const LONGEST_TEMPLATE_PREFIX = 32;

/**
 * kops's names of resources (upup/pkg/fi/cloudup/gce/utils.go): the name of the cluster with dashes, cut and hashed where it
 * does not fit, so that both find the same resources.
 */
export const suffixed = (object: string, clusterName: string, maxLength = LONGEST_NAME): string =>
  `${object}-${truncatedName(clusterLabel(clusterName), maxLength - object.length - 1)}`;

/** The name of the cluster's own network. */
export const networkName = (clusterName: string): string => truncatedName(clusterLabel(clusterName), LONGEST_NAME);

/** A subnet that the cluster shares has the name that its owner gave it. */
export const subnetworkName = ({ id, name = '' }: ClusterSubnetSpec, clusterName: string): string =>
  id ?? suffixed(name, clusterName);

/** A name of tasks alone, which nothing limits. */
export const taskName = (object: string, clusterName: string): string => `${object}-${clusterLabel(clusterName)}`;

/** The network tag of the machines of a role: `demo-example-com-k8s-io-role-node`. */
export function roleTag(role: string, clusterName: string): string {
  const object = `k8s-io-role-${role}`;
  return `${truncatedName(clusterLabel(clusterName), LONGEST_NAME - object.length - 1)}-${object}`;
}

/** What the names of all templates of a group begin with. */
export const templatePrefix = (group: string, clusterName: string): string =>
  `${truncatedName(taskName(group, clusterName), LONGEST_TEMPLATE_PREFIX)}-`;

/** The managed instance group of an instance group in one zone: `b-nodes-demo-example-com` in us-east1-b. */
export const managedGroupName = (group: string, zone: string, clusterName: string): string =>
  truncatedName(`${zone.slice(zone.lastIndexOf('-') + 1)}-${taskName(group, clusterName)}`, LONGEST_NAME);

/** What the name of the disk of an etcd member begins with, which must be a letter. */
export function etcdDiskObject(member: string, etcdCluster: string): string {
  const object = `${member}-etcd-${etcdCluster}`.replaceAll('.', '-');
  return /^[0-9-]/.test(object) ? `d${object}` : object;
}

/** The disk of an etcd member. */
export const diskName = (member: string, etcdCluster: string, clusterName: string): string =>
  suffixed(etcdDiskObject(member, etcdCluster), clusterName);
