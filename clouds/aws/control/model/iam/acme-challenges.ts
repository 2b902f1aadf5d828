import { managesCertManager } from '@kopsctl/model/addons/cert-manager.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import type { AwsContext } from '../aws-context.ts';
import { allow, type Permissions } from './policy.ts';

/** Whether cert-manager has a role of its own, by which it answers the challenges of ACME in hosted zones. */
export const answersAcmeChallenges = ({ spec }: ClusterFacts): boolean =>
  managesCertManager(spec) &&
  (spec.certManager?.hostedZoneIDs ?? []).length > 0 &&
  spec.iam?.useServiceAccountExternalPermissions === true;

/** Answer the challenges of ACME in the hosted zones of the spec, and change nothing else in them. */
export function acmeChallenges({ facts, partition }: AwsContext): Permissions {
  const zones = (facts.spec.certManager?.hostedZoneIDs ?? []).map(
    (id) => `arn:${partition}:route53:::hostedzone/${id}`,
  );
  return {
    statements: [
      ...allow(['route53:ListResourceRecordSets'], zones),
      ...allow(['route53:ChangeResourceRecordSets'], zones, {
        'ForAllValues:StringEquals': { 'route53:ChangeResourceRecordSetsRecordTypes': ['TXT'] },
        'ForAllValues:StringLike': { 'route53:ChangeResourceRecordSetsNormalizedRecordNames': ['_acme-challenge.*'] },
      }),
      ...allow(['route53:GetChange'], [`arn:${partition}:route53:::change/*`]),
      ...allow(['route53:ListHostedZonesByName'], ['*']),
    ],
  };
}
