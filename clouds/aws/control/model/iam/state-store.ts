import { RESTORE_RECORD } from '@kopsctl/state-store/etcd/restore-record.ts';
import { GOSSIP_KEY, usesGossip } from '@kopsctl/model/discovery.ts';
import { BOOTSTRAP_TOKEN } from '@kopsctl/model/node/kubeconfigs.ts';
import type { AwsContext } from '../aws-context.ts';
import { allow, type Permissions, type Statement } from './policy.ts';

/** Splits `s3://bucket/folder`; undefined for a store outside S3, which needs no permissions in AWS. */
function s3Place(url: string): { readonly bucket: string; readonly folder: string } | undefined {
  const found = /^s3:\/\/([^/]+)\/?(.*?)\/*$/.exec(url);
  return found === null ? undefined : { bucket: found[1] ?? '', folder: found[2] === '' ? '' : `${found[2]}/` };
}

/**
 * The permissions of a control-plane machine in the state store: read the cluster; write the backups of etcd and its
 * own report.
 */
export function controlPlaneStore(context: AwsContext): Permissions {
  const { facts } = context;
  const backups = facts.etcdClusters.map(({ name }) => `backups/etcd/${name ?? ''}/*`);
  return storeAccess(context, ['*'], [...backups, 'nodes/*']);
}

/**
 * The permissions of an API server on a machine of its own: read the cluster; confirm in the record of a restore that
 * it has stopped.
 */
export function apiServerStore(context: AwsContext): Permissions {
  const records = context.facts.etcdClusters.map(({ name }) => `backups/etcd/${name ?? ''}/${RESTORE_RECORD}`);
  return storeAccess(context, ['*'], [...records, 'nodes/*']);
}

/**
 * The permissions of every machine: read its node plan, the files that the plan names and the credentials to join;
 * write its own report.
 */
export function machineStore(context: AwsContext): Permissions {
  const secrets = [BOOTSTRAP_TOKEN, ...(usesGossip(context.facts) ? [GOSSIP_KEY] : [])];
  const read = ['node-plans/*', 'pki/issued/*', ...secrets.map((name) => `secrets/${name}`)];
  return storeAccess(context, read, ['nodes/*']);
}

function storeAccess({ facts, partition }: AwsContext, read: readonly string[], write: readonly string[]): Permissions {
  const place = s3Place(facts.nodeStoreUrl);
  if (place === undefined) return {};
  const bucket = `arn:${partition}:s3:::${place.bucket}`;
  const inCluster = (paths: readonly string[]) =>
    paths.map((path) => `${bucket}/${place.folder}${facts.clusterName}/${path}`);
  const statements: readonly Statement[] = [
    ...allow(['s3:Get*'], [...inCluster(read), `${bucket}/${place.folder}assets/*`]),
    ...allow(['s3:DeleteObject', 's3:DeleteObjectVersion', 's3:GetObject', 's3:PutObject'], inCluster(write)),
    ...allow(
      ['s3:GetBucketLocation', 's3:GetEncryptionConfiguration', 's3:ListBucket', 's3:ListBucketVersions'],
      [bucket],
    ),
  ];
  return { statements };
}
