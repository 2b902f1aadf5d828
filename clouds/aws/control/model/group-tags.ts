import type { Tags } from '../../node/tag-list.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { type Role, roleOf } from '@kopsctl/spec/names.ts';
import type { AwsContext } from './aws-context.ts';
import { wishedKubelet } from '@kopsctl/model/store/node-marks.ts';
import { autoscalingGroupName } from './group-names.ts';
import { usesTerminationQueue } from './node-termination.ts';
import { resourceTags } from './tags.ts';

const TEMPLATE_LABEL = 'k8s.io/cluster-autoscaler/node-template/label/';
const TEMPLATE_TAINT = 'k8s.io/cluster-autoscaler/node-template/taint/';

/** The node labels of a role (kops pkg/nodelabels/builder.go). */
const ROLE_LABELS: Readonly<Record<Role, readonly string[]>> = {
  ControlPlane: [
    'kops.k8s.io/kops-controller-pki',
    'node-role.kubernetes.io/control-plane',
    'node.kubernetes.io/exclude-from-external-load-balancers',
  ],
  APIServer: ['node-role.kubernetes.io/api-server'],
  Node: ['node-role.kubernetes.io/node'],
  Bastion: [],
};

const ROLE_TAGS: Readonly<Record<Role, readonly string[]>> = {
  ControlPlane: ['k8s.io/role/control-plane', 'k8s.io/role/master'],
  APIServer: ['k8s.io/role/apiserver'],
  Node: ['k8s.io/role/node'],
  Bastion: ['k8s.io/role/bastion'],
};

const each = (names: readonly string[], value: string): Tags => Object.fromEntries(names.map((name) => [name, value]));

const templateLabels = (labels: Readonly<Record<string, string>> = {}): Tags =>
  Object.fromEntries(Object.entries(labels).map(([label, value]) => [TEMPLATE_LABEL + label, value]));

/** Where API servers have machines of their own, control planes get the label of API servers as well. */
function roleLabels({ groups }: AwsContext, role: Role): readonly string[] {
  const marked = role === 'ControlPlane' && groups.some((group) => roleOf(group) === 'APIServer');
  return [...(marked ? ROLE_LABELS.APIServer : []), ...ROLE_LABELS[role]];
}

/** The tags of a group and its machines. Labels are among them for an autoscaler that scales up from zero machines. */
export function groupTags(context: AwsContext, group: InstanceGroup): Tags {
  const { facts } = context;
  const role = roleOf(group);
  const { nodeTerminationHandler } = facts.spec;
  return {
    ...resourceTags(facts, autoscalingGroupName(facts, group)),
    ...group.spec.cloudLabels,
    ...templateLabels(wishedKubelet(facts, group).nodeLabels),
    ...each(
      roleLabels(context, role).map((label) => TEMPLATE_LABEL + label),
      '',
    ),
    ...templateLabels(group.spec.nodeLabels),
    ...Object.fromEntries((group.spec.taints ?? []).map(taintTag)),
    ...each(ROLE_TAGS[role], '1'),
    'kops.k8s.io/instancegroup': group.metadata.name,
    ...(usesTerminationQueue(facts) && nodeTerminationHandler?.managedASGTag !== undefined
      ? managedTag(nodeTerminationHandler.managedASGTag, facts.clusterName)
      : {}),
  };
}

/**
 * The termination handler only looks for the name of the tag; if the cluster sets the tag itself, its value is kept.
 */
function managedTag(name: string, clusterName: string): Tags {
  return name === `kubernetes.io/cluster/${clusterName}` ? {} : { [name]: '' };
}

/** `key=value:Effect` becomes the tag `…/taint/key` with the value `value:Effect`. */
function taintTag(taint: string): readonly [string, string] {
  const [equals, colon] = [taint.indexOf('='), taint.indexOf(':')];
  return equals === -1
    ? [TEMPLATE_TAINT + taint.slice(0, colon), taint.slice(colon)]
    : [TEMPLATE_TAINT + taint.slice(0, equals), taint.slice(equals + 1)];
}
