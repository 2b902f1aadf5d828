import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { PublishedAsset } from '@kopsctl/model/assets/published-asset.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { writeFolder } from '../files/write-folder.ts';
import { resolveStored } from '../store/resolve-stored.ts';
import { STORE_KINDS, writeStored } from '../store/write-stored.ts';
import { cloudFormationTarget } from '../cloud/tool-target.ts';

export interface CloudFormationRequest {
  readonly store: StateStore;
  readonly cluster: Cluster;
  readonly tasks: readonly Task[];
  /** Files that machines would download and whose hash nobody knows. */
  readonly unpinned: readonly PublishedAsset[];
  /** What is written. The rest is only referred to, by parameters of the stack. */
  readonly isWritten: (task: Task) => boolean;
  /** The folder that gets `kubernetes.json`. */
  readonly out: string;
  readonly signal: AbortSignal;
}

export interface RenderedCloudFormation {
  /** What was written to the state store. */
  readonly result: RunResult;
  /** What CloudFormation cannot do, so that it is left to a direct update. */
  readonly left: readonly string[];
}

/**
 * Writes a cluster as a CloudFormation template. What machines read goes to the state store at once; nothing
 * secret is in the template.
 */
export async function renderCloudFormation(request: CloudFormationRequest): Promise<RenderedCloudFormation> {
  const { store, cluster, tasks, unpinned, isWritten, out, signal } = request;
  const { name } = cluster.metadata;
  if (unpinned.length > 0) throw withoutHashes(unpinned);
  const target = await cloudFormationTarget(cluster);
  const place = { store, cluster: name, signal };
  const now = tasks.filter((task) => STORE_KINDS.includes(task.kind) && isWritten(task));
  const stored = await writeStored({ ...place, tasks: now });
  if (stored.failed > 0) return { result: stored, left: [] };
  const { template, left } = target(await resolveStored(tasks, place), isWritten, `Kubernetes cluster ${name}`);
  await writeFolder(out, new Map([['kubernetes.json', `${JSON.stringify(template, null, 2)}\n`]]));
  return { result: stored, left };
}

/** A template has no way to say that it must not be used. */
const withoutHashes = (unpinned: readonly PublishedAsset[]): ActionableError =>
  new ActionableError({
    what: 'write the template',
    why: `the table of this release has no hash of ${unpinned.map(({ urls }) => urls[0] ?? '').join(', ')}`,
    next: 'repeat the command without --offline, so that they are read where they are published',
  });
