import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import {
  CLUSTER_LABEL,
  clusterLabel,
  INSTANCE_GROUP_LABEL,
  type Labels,
  ROLE_LABEL_PREFIX,
} from '../../node/labels.ts';
import type { GceContext } from './gce-context.ts';
import { ROLE_NAMES } from './role-tags.ts';

/**
 * The labels of a group's machines. Its taints are not among them, as they are in kops: a label cannot contain `/` or `:`, and
 * the autoscaler reads them in the metadata.
 */
export function groupLabels({ facts }: GceContext, group: InstanceGroup): Labels {
  const role = roleOf(group);
  return {
    ...facts.spec.cloudLabels,
    ...group.spec.cloudLabels,
    [CLUSTER_LABEL]: clusterLabel(facts.clusterName),
    [INSTANCE_GROUP_LABEL]: group.metadata.name,
    [ROLE_LABEL_PREFIX + ROLE_NAMES[role]]: ROLE_NAMES[role],
    // Older versions of kops look for it.
    ...(role === 'ControlPlane' && { [`${ROLE_LABEL_PREFIX}master`]: 'master' }),
  };
}
