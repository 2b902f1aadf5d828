import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FILES_WITHOUT_HASH, refuseUnpinned } from '@kopsctl/model/terraform/refuse-unpinned.ts';
import type { PublishedAsset } from '@kopsctl/model/assets/published-asset.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { terraformTarget } from '../cloud/tool-target.ts';
import { writeFolder } from '../files/write-folder.ts';
import { resolveStored } from '../store/resolve-stored.ts';
import { STORE_KINDS, writeStored } from '../store/write-stored.ts';

export interface RenderRequest {
  readonly store: StateStore;
  readonly cluster: Cluster;
  readonly tasks: readonly Task[];
  /** Files that machines would download and whose hash nobody knows. */
  readonly unpinned: readonly PublishedAsset[];
  /** The folder that gets `kubernetes.tf`. */
  readonly out: string;
  /** What is written. The rest is only referred to. */
  readonly isWritten: (task: Task) => boolean;
  readonly signal: AbortSignal;
}

/**
 * Writes a cluster as a Terraform configuration. Keys and secrets go to the state store at once: no part of them is
 * ever in the configuration. The files that machines read are part of the configuration where Terraform can write them,
 * and otherwise go to the state store as well.
 */
export async function renderTerraform(request: RenderRequest): Promise<RunResult> {
  const { store, cluster, tasks, unpinned, isWritten } = request;
  const target = await terraformTarget(cluster);
  const inConfiguration = ({ kind, props: { path } }: Task) =>
    !STORE_KINDS.includes(kind) ||
    (kind === 'ManagedFile' && typeof path === 'string' && target.writesFile(cluster, path));
  const now = tasks.filter((task) => !inConfiguration(task) && isWritten(task));
  const place = { store, cluster: cluster.metadata.name, signal: request.signal };
  const stored = await writeStored({ ...place, tasks: now });
  if (stored.failed > 0) return stored;
  const folder = target.render(cluster, await resolveStored(tasks, place), isWritten);
  // Terraform would still refuse what was written earlier, when hashes were missing.
  await rm(join(request.out, FILES_WITHOUT_HASH), { force: true });
  await writeFolder(request.out, new Map([...folder, ...refuseUnpinned(unpinned)]));
  return stored;
}
