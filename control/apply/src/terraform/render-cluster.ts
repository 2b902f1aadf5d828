import { awsBlocks } from '@kopsctl/clouds/aws/terraform/blocks.ts';
import { AWS_TERRAFORM } from '@kopsctl/clouds/aws/terraform/aws-terraform.ts';
import { storedFiles } from '@kopsctl/clouds/aws/terraform/stored-file.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { regionOf } from '@kopsctl/model/cloud/aws/region.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { type Phase, phaseOf } from '../lifecycle.ts';
import { writeFolder } from '../write-folder.ts';
import { STORE_KINDS, writeStored } from '../write-stored.ts';
import { terraformFolder, type TerraformFolder } from './configuration.ts';

export interface RenderRequest {
  readonly store: StateStore;
  readonly cluster: Cluster;
  readonly tasks: readonly Task[];
  /** The folder that gets `kubernetes.tf`. */
  readonly out: string;
  /** Only what this phase makes is written. */
  readonly phase?: Phase;
  readonly signal: AbortSignal;
}

/**
 * Writes a cluster as a Terraform configuration. Keys and secrets go to the state store at once: nothing of them is
 * ever in the configuration. The files that machines read are part of the configuration where they lie in S3, and
 * else go to the state store as well.
 */
export async function renderTerraform(request: RenderRequest): Promise<RunResult> {
  const { store, cluster, tasks, phase } = request;
  const bucket = s3Folder(cluster.spec.configBase ?? '');
  const inConfiguration = (task: Task) =>
    !STORE_KINDS.includes(task.kind) || (task.kind === 'ManagedFile' && bucket !== undefined);
  const isWritten = ({ kind }: Task) => phase === undefined || phaseOf(kind) === phase;
  const folder = folderOf(cluster, tasks, bucket, isWritten);
  const now = tasks.filter((task) => !inConfiguration(task) && isWritten(task));
  const stored = await writeStored({ store, cluster: cluster.metadata.name, tasks: now, signal: request.signal });
  if (stored.failed === 0) await writeFolder(request.out, folder);
  return stored;
}

/** The configuration of a cluster. Pure. */
export function folderOf(
  cluster: Cluster,
  tasks: readonly Task[],
  bucket: { readonly bucket: string; readonly folder: string } | undefined,
  isWritten?: (task: Task) => boolean,
): TerraformFolder {
  const { spec, metadata } = cluster;
  if (spec.cloudProvider !== 'aws') {
    throw new ActionableError({
      what: `render ${metadata.name} for Terraform`,
      why: `clusters of cloud provider ${spec.cloudProvider ?? '(none)'} cannot be`,
      next: 'apply it directly: --target direct',
    });
  }
  const wish = spec.target?.terraform;
  return terraformFolder({
    tasks,
    ...(isWritten && { isWritten }),
    kinds: { ...AWS_TERRAFORM, ...(bucket === undefined ? {} : storedFiles(bucket)) },
    blocks: awsBlocks(tasks, {
      clusterName: metadata.name,
      region: regionOf(metadata.name, spec),
      providerConfig: wish?.providerExtraConfig ?? {},
      filesProviderConfig: wish?.filesProviderExtraConfig ?? {},
    }),
  });
}

/** `s3://bucket/folder`, which holds the cluster's files, taken apart. */
function s3Folder(configBase: string): { readonly bucket: string; readonly folder: string } | undefined {
  const found = /^s3:\/\/([^/]+)\/?(.*?)\/*$/.exec(configBase);
  return found === null ? undefined : { bucket: found[1] ?? '', folder: found[2] ?? '' };
}
