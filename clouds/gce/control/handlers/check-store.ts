import { PermanentError } from '@kopsctl/tasks/failure.ts';
import { clusterBuckets } from '../cluster-buckets.ts';
import { bucketPolicy, requireUniformAccess } from './buckets.ts';
import type { GceCloud } from './gce-cloud.ts';
import { doing, isForbidden } from './google-error.ts';
import { type Membership, membershipsIn } from './iam-policy.ts';

/** Roles that let somebody read or write objects (https://cloud.google.com/storage/docs/access-control/iam-roles). */
const OF_OBJECTS = /^roles\/storage\.(admin|folderAdmin|.*object.*)$/i;
/** Everyone, and everyone who has a Google account. */
const EVERYBODY = ['allUsers', 'allAuthenticatedUsers'];
/** The account of all machines of a project that are given no other, and of most programs on them. */
const DEFAULT_ACCOUNT = /^serviceAccount:\d+-compute@developer\.gserviceaccount\.com$/;
/** Members with a basic role in a project, as a new bucket of the project names them. */
const OF_PROJECT = /^project(Viewer|Editor):/;

/**
 * Checks who can read the buckets of the cluster, before anything is written into them: a person who has keys of its CAs
 * can do everything in it. Changes nothing.
 *
 * @returns sentences about others who can read them, which may be intended
 * @throws PermanentError where everybody can, or programs of the project that have nothing to do with the cluster
 */
export async function checkStore(gce: GceCloud, signal: AbortSignal): Promise<readonly string[]> {
  const { cloudConfig } = gce.cluster.spec;
  const warnings: string[] = [];
  for (const bucket of clusterBuckets(gce.cluster.spec)) {
    try {
      warnings.push(...(await checkBucket(gce, bucket, cloudConfig?.gceServiceAccount ?? '', signal)));
    } catch (thrown) {
      // A person who may only write objects does not have to see who else may.
      if (!isForbidden(thrown)) throw thrown;
      warnings.push(`this account may not see who can read gs://${bucket}, so this was not checked`);
    }
  }
  return warnings;
}

const checkBucket = (gce: GceCloud, bucket: string, account: string, signal: AbortSignal): Promise<readonly string[]> =>
  doing(`check who can read gs://${bucket}`, async () => {
    await requireUniformAccess(gce, bucket, signal);
    const policy = await bucketPolicy(bucket).read(gce, signal);
    const readers = membershipsIn(policy, ({ role }) => OF_OBJECTS.test(role));
    const stranger = readers.find((one) => isStranger(one, account));
    if (stranger !== undefined) throw refusal(bucket, stranger);
    return readers
      .filter(({ member }) => OF_PROJECT.test(member) || DEFAULT_ACCOUNT.test(member))
      .map((one) => `${whoIs(one.member)} can read the keys of the cluster in gs://${bucket}: ${remedy(bucket, one)}`);
  });

/** A role of the default account that is limited to some objects, or that machines of the cluster need, may be intended. */
const isStranger = ({ member, condition }: Membership, account: string): boolean =>
  EVERYBODY.includes(member) ||
  (DEFAULT_ACCOUNT.test(member) &&
    condition === undefined &&
    account !== 'default' &&
    member !== `serviceAccount:${account}`);

const refusal = (bucket: string, one: Membership): PermanentError =>
  new PermanentError({
    what: `keep the keys of the cluster in gs://${bucket}`,
    why: `${whoIs(one.member)} has ${one.role} there`,
    next: remedy(bucket, one),
  });

function whoIs(member: string): string {
  if (EVERYBODY.includes(member)) return `everybody (${member})`;
  if (DEFAULT_ACCOUNT.test(member)) return `every program with the default account of machines (${member})`;
  return `whoever has the role ${member.startsWith('projectViewer:') ? 'Viewer' : 'Editor'} in the project (${member})`;
}

const remedy = (bucket: string, { role, member, condition }: Membership): string =>
  `gcloud storage buckets remove-iam-policy-binding gs://${bucket} --member=${member} --role=${role}${condition === undefined ? '' : ' --all'}`;
