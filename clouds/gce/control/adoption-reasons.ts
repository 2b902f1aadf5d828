import type { AdoptionReasons } from '@kopsctl/model/cloud.ts';

export const GCE_ADOPTION_REASONS: AdoptionReasons = {
  changed: {
    'gce/Firewall': 'nodes may read the figures of control planes, as with releases of kops after 1.36',
    'gce/InstanceGroupManager':
      'makes new machines from the new template; machines that run stay as they are, as long as there are no more than maxSize',
  },
  madeAnew: {
    'gce/BucketMember':
      'machines get what they need of the bucket and nothing else; what kops grants stays until pruning is asked for',
    'gce/InstanceTemplate':
      'new machines start nodeup of kopsctl; the template of kops stays until they have taken its place',
  },
};
