import { RESTORE_RECORD } from '@kopsctl/state-store/etcd/restore-record.ts';
import { GOSSIP_KEY, usesGossip } from '../../../discovery.ts';
import { BOOTSTRAP_TOKEN } from '../../../node/kubeconfigs.ts';
import type { AwsContext } from '../aws-context.ts';
import { allow, type Permissions, type Statement } from './policy.ts';

/** `s3://bucket/folder` taken apart; undefined for a store that is not in S3, which AWS grants nothing on. */
function s3Place(url: string): { readonly bucket: string; readonly folder: string } | undefined {
  const found = /^s3:\/\/([^/]+)\/?(.*?)\/*$/.exec(url);
  return found === null ? undefined : { bucket: found[1] ?? '', folder: found[2] === '' ? '' : `${found[2]}/` };
}

/** What a control-plane machine does in the state store: it reads the cluster, and writes etcd's backups and its report. */
export function controlPlaneStore(context: AwsContext): Permissions {
  const { facts } = context;
  const backups = facts.etcdClusters.map(({ name }) => `backups/etcd/${name ?? ''}/*`);
  return storeAccess(context, ['*'], [...backups, 'nodes/*']);
}

/** What an API server on a machine of its own does: it reads the cluster, and says in a restore's record that it has ended. */
export function apiServerStore(context: AwsContext): Permissions {
  const records = context.facts.etcdClusters.map(({ name }) => `backups/etcd/${name ?? ''}/${RESTORE_RECORD}`);
  return storeAccess(context, ['*'], [...records, 'nodes/*']);
}

/** What any machine reads as it boots: its plan, what the plan names, and what it joins with; and the report that it writes. */
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
