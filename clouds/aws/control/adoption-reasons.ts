import type { AdoptionReasons } from '@kopsctl/model/cloud.ts';

export const AWS_ADOPTION_REASONS: AdoptionReasons = {
  changed: {
    'aws/IamRolePolicy':
      'machines of kopsctl read prepared files and their plans, and write their reports; what kops allows is still allowed',
    'aws/LaunchTemplate': 'new machines start the nodeup of kopsctl; running machines keep what they were started with',
    'aws/PublicFile':
      'names the algorithm of ECDSA keys too, and is laid out differently; the issuer and its keys stay',
  },
};
