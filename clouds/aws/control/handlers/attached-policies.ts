import { paginateListAttachedRolePolicies } from '@aws-sdk/client-iam';
import type { AwsCloud } from './aws-cloud.ts';
import { unlessGone } from './unless-gone.ts';

/** The ARNs of the managed policies of a role; undefined if there is no such role. */
export const attachedPolicies = (RoleName: string, aws: AwsCloud): Promise<readonly string[] | undefined> =>
  unlessGone(
    (async () => {
      const arns: string[] = [];
      for await (const page of paginateListAttachedRolePolicies({ client: aws.iam }, { RoleName })) {
        arns.push(...(page.AttachedPolicies ?? []).flatMap(({ PolicyArn }) => PolicyArn ?? []));
      }
      return arns;
    })(),
  );
