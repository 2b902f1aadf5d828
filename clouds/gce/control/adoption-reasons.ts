import type { AdoptionReasons } from '@kopsctl/model/cloud.ts';

export const GCE_ADOPTION_REASONS: AdoptionReasons = {
  changed: {
    'gce/Firewall': 'nodes may read the metrics of control planes, as in releases of kops after 1.36',
    'gce/InstanceGroupManager':
      'creates new machines from the new template; running machines stay as they are, as long as there are no more than maxSize',
    'gce/PublicFile':
      'caches ask for new keys each time, and the algorithm of ECDSA keys is named too; the issuer and its keys stay',
  },
  replaced: {
    'gce/BucketMember':
      'machines may access only what they need in the bucket; what kops grants stays until it is pruned',
    'gce/InstanceTemplate':
      'new machines start the nodeup of kopsctl, and their pods do not get the account of the machine any more; the template that kops created stays until nothing uses it',
  },
};
