import { GOSSIP_CONTROL_PLANE_KEY, GOSSIP_KEY, usesGossip } from '@kopsctl/model/discovery.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import type { Text } from '@kopsctl/model/output.ts';
import { storePlaces, urlInStore } from '@kopsctl/model/store/store-places.ts';
import { givesPlansThroughAuthorities } from '@kopsctl/model/store/worker-plans.ts';
import { WORKER_PLANS } from '@kopsctl/node-plan/plan-hash.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { BucketMemberProps } from '../kinds/iam.ts';
import { type BucketPlace, bucketPlace } from '../bucket-place.ts';
import type { GceContext } from './gce-context.ts';
import { gceTask } from './gce-task.ts';

const READER = 'roles/storage.objectViewer';
const WRITER = 'roles/storage.objectAdmin';
/** Lists names of objects and reads the bucket's settings, but no object. It cannot be limited to a folder. */
const LISTER = 'roles/storage.legacyBucketReader';

/** The titles of conditions, which say what an account may do with the objects to which its role is limited. */
const CONTROL_PLANE_READS = 'control-plane-reads';
const CONTROL_PLANE_WRITES = 'control-plane-writes';
const NODE_READS = 'node-reads';

/**
 * By account, the titles of its roles that are limited to objects, and its roles for whole buckets. kops limits none
 * (kops pkg/model/gcemodel/storageacl.go).
 */
const MADE: ReadonlyMap<string, { readonly titles: readonly string[]; readonly roles: readonly string[] }> = new Map([
  ['control-plane', { titles: [CONTROL_PLANE_READS, CONTROL_PLANE_WRITES], roles: [LISTER, READER, WRITER] }],
  ['node', { titles: [NODE_READS], roles: [READER] }],
]);

/**
 * What accounts may do in buckets with the cluster's state and backups. Control planes read the cluster's folder and write
 * what they maintain there; workers get their plans, by names that nobody can guess, and prepared files. Roles that are
 * limited to folders require uniform bucket-level access.
 */
export function storeMembers(
  { facts }: GceContext,
  { controlPlane, node }: { readonly controlPlane: Text; readonly node?: Text },
): readonly Task[] {
  const store = bucketPlace(facts.nodeStoreUrl);
  const own = store && { bucket: store.bucket, folder: `${store.folder}${facts.clusterName}/` };
  // Control planes change them before they are used up.
  const keys = usesGossip(facts) ? [GOSSIP_KEY, GOSSIP_CONTROL_PLANE_KEY].map((name) => `secrets/${name}`) : [];
  const backups = facts.etcdClusters.flatMap(({ backups: wish }) => bucketPlace(wish?.backupStore ?? '') ?? []);
  const written: readonly BucketPlace[] = [
    ...(own === undefined ? [] : [within(own, 'nodes/'), ...keys.flatMap((path) => objectPlace(facts, path))]),
    ...backups,
  ];
  const places = storePlaces(facts).flatMap(({ url }) => bucketPlace(url) ?? []);
  const read = own === undefined || store === undefined ? [] : [own, within(store, 'assets/'), ...places];
  const plans =
    own === undefined || store === undefined || givesPlansThroughAuthorities(facts.cluster)
      ? []
      : [within(own, `${WORKER_PLANS}/`), within(store, 'assets/')];
  return [
    ...members(CONTROL_PLANE_READS, READER, controlPlane, read),
    ...members(CONTROL_PLANE_WRITES, WRITER, controlPlane, written),
    ...[...new Set([...read, ...written].map(({ bucket }) => bucket))].map((bucket) =>
      gceTask('gce/BucketMember', memberTask(LISTER, bucket), { bucket, role: LISTER, account: controlPlane }),
    ),
    ...(node === undefined ? [] : members(NODE_READS, READER, node, plans)),
  ];
}

/** Whether kopsctl, or kops before it, gives such a role to the account with this name. */
export function isMadeInBuckets(
  { role, condition }: { readonly role: string; readonly condition?: { readonly title: string } },
  account: string,
): boolean {
  const { titles, roles } = MADE.get(account) ?? { titles: [], roles: [] };
  return condition === undefined ? roles.includes(role) : titles.includes(condition.title);
}

/** The name of the task of a membership, by the title of its condition, or by the role of one that is not limited. */
export const memberTask = (title: string, bucket: string): string =>
  `${title === LISTER ? 'control-plane-lists' : title}-${bucket}`;

/** A single object below the cluster's folder, or in the folder that is used instead. */
const objectPlace = (facts: ClusterFacts, path: string): readonly BucketPlace[] =>
  [bucketPlace(urlInStore(facts, path))].flatMap((place) =>
    place === undefined ? [] : [{ ...place, folder: place.folder.slice(0, -1) }],
  );

const within = ({ bucket, folder }: BucketPlace, path: string): BucketPlace => ({ bucket, folder: folder + path });

function members(what: string, role: string, account: Text, places: readonly BucketPlace[]): readonly Task[] {
  const byBucket = Object.groupBy(places, ({ bucket }) => bucket);
  return Object.entries(byBucket).map(([bucket, ofBucket = []]) => {
    const prefixes = [...new Set(ofBucket.map(({ folder }) => folder))].toSorted();
    const props: BucketMemberProps = { bucket, role, account, objects: { title: what, prefixes } };
    return gceTask('gce/BucketMember', memberTask(what, bucket), props);
  });
}
