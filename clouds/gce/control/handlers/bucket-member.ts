import { clusterBuckets } from '../cluster-buckets.ts';
import { isMadeInBuckets, memberTask } from '../model/store-members.ts';
import { objectCondition } from '../object-condition.ts';
import { bucketPolicy, requireUniformAccess } from './buckets.ts';
import { memberOf, membershipHandler, type PolicyOwner, unlessGone } from './memberships.ts';

/** The policy of a bucket in which roles can be limited to folders. */
const memberPolicy = (bucket: string): PolicyOwner => {
  const { read, write } = bucketPolicy(bucket);
  return {
    write,
    async read(gce, signal) {
      await requireUniformAccess(gce, bucket, signal);
      return read(gce, signal);
    },
  };
};

export const bucketMemberHandler = membershipHandler<'gce/BucketMember'>({
  kind: 'gce/BucketMember',
  ownerOf: ({ bucket }) => memberPolicy(bucket),
  wanted: ({ bucket, role, account, objects }) => ({
    role,
    member: memberOf(account),
    ...(objects && { condition: objectCondition(bucket, objects) }),
  }),
  // Other folders, or another role for them, replace the former ones.
  isFormer: (one, wanted) =>
    wanted.condition === undefined
      ? one.role === wanted.role && one.condition === undefined
      : one.condition?.title === wanted.condition.title,
  owners: (gce) =>
    clusterBuckets(gce.cluster.spec).map((bucket) => ({
      // Members can be listed and removed in every bucket.
      owner: unlessGone(bucketPolicy(bucket)),
      what: `the bucket ${bucket}`,
      taskOf: ({ role, member, condition }) =>
        member.startsWith('deleted:') ? `${role} ${member}` : memberTask(condition?.title ?? role, bucket),
      isMade: isMadeInBuckets,
    })),
});
