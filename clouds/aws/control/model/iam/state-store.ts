import { RESTORE_RECORD } from '@kopsctl/state-store/etcd/restore-record.ts';
import { GOSSIP_CONTROL_PLANE_KEY, GOSSIP_KEY, usesGossip } from '@kopsctl/model/discovery.ts';
import { storePlaces, urlInStore } from '@kopsctl/model/store/store-places.ts';
import { givesPlansThroughAuthorities } from '@kopsctl/model/store/worker-plans.ts';
import { WORKER_PLANS } from '@kopsctl/node-plan/plan-hash.ts';
import type { AwsContext } from '../aws-context.ts';
import { allow, type Permissions, type Statement } from './policy.ts';

/** A folder of a bucket: empty, or ending with a slash. */
interface S3Place {
  readonly bucket: string;
  readonly folder: string;
}

/** Splits `s3://bucket/folder`; undefined for a store outside S3, which needs no permissions in AWS. */
function s3Place(url: string): S3Place | undefined {
  const found = /^s3:\/\/([^/]+)\/?(.*?)\/*$/.exec(url);
  return found === null ? undefined : { bucket: found[1] ?? '', folder: found[2] === '' ? '' : `${found[2]}/` };
}

/**
 * The permissions of a control-plane machine in the state store: read the cluster; write the backups of etcd, its own
 * report and the keys of gossip, which it changes before they are used up.
 */
export function controlPlaneStore(context: AwsContext): Permissions {
  const { facts } = context;
  const backups = facts.etcdClusters.map(({ name }) => `backups/etcd/${name ?? ''}/*`);
  const keys = usesGossip(facts) ? [GOSSIP_KEY, GOSSIP_CONTROL_PLANE_KEY].map((name) => `secrets/${name}`) : [];
  return storeAccess(context, ['*'], [...backups, 'nodes/*', ...keys]);
}

/**
 * The permissions of an API server on a machine of its own: read the cluster; confirm in the record of a restore that
 * it has stopped.
 */
export function apiServerStore(context: AwsContext): Permissions {
  const records = context.facts.etcdClusters.map(({ name }) => `backups/etcd/${name ?? ''}/${RESTORE_RECORD}`);
  return storeAccess(context, ['*'], records);
}

/**
 * The permissions of a worker: get its node plan, by a name that nobody can guess, and prepared files. It lists and
 * writes nothing: whatever else it needs comes from an authority once it is attested. Where the spec says so, the plan
 * does too: then the worker has no right in the state store.
 */
export function workerStore({ facts, partition }: AwsContext): Permissions {
  const place = s3Place(facts.nodeStoreUrl);
  if (place === undefined || givesPlansThroughAuthorities(facts.cluster)) return {};
  const folder = `arn:${partition}:s3:::${place.bucket}/${place.folder}`;
  return {
    statements: allow(['s3:GetObject'], [`${folder}${facts.clusterName}/${WORKER_PLANS}/*`, `${folder}assets/*`]),
  };
}

function storeAccess({ facts, partition }: AwsContext, read: readonly string[], write: readonly string[]): Permissions {
  const store = s3Place(facts.nodeStoreUrl);
  if (store === undefined) return {};
  const arn = ({ bucket, folder }: S3Place): string => `arn:${partition}:s3:::${bucket}/${folder}`;
  // The place of a path below the cluster's folder, or in the folder that is used instead.
  const below = (path: string): string => arn(s3Place(urlInStore(facts, path)) ?? store).replace(/\/$/, '');
  const places = storePlaces(facts).flatMap(({ url }) => s3Place(url) ?? []);
  const buckets = [...new Set([store, ...places].map(({ bucket }) => `arn:${partition}:s3:::${bucket}`))];
  const statements: readonly Statement[] = [
    ...allow(['s3:Get*'], [...read.map(below), `${arn(store)}assets/*`, ...places.map((place) => `${arn(place)}*`)]),
    ...allow(['s3:DeleteObject', 's3:DeleteObjectVersion', 's3:GetObject', 's3:PutObject'], write.map(below)),
    ...allow(
      ['s3:GetBucketLocation', 's3:GetEncryptionConfiguration', 's3:ListBucket', 's3:ListBucketVersions'],
      buckets,
    ),
  ];
  return { statements };
}
