import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { againOnConflict } from '@kopsctl/state-store/again-on-conflict.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { driverOf } from '../cloud/cloud-layer.ts';
import { isForTool, kindsOf, lifecyclesOf } from '../cloud/lifecycle.ts';
import { cloudFormationTarget, terraformTarget } from '../cloud/tool-target.ts';
import { noteAppliedRelease } from '../store/applied-release.ts';
import { type ActionContext, inPhase, note } from './action.ts';
import { lifecyclesInScope, type Scope } from './converge.ts';
import { isMade } from './make-cluster.ts';
import { type PreparedCluster, tellUnpinned } from './prepare-cluster.ts';

/** The tools that can make a cluster in the place of kopsctl. */
export type OtherTool = 'terraform' | 'cloudformation';

export interface WrittenCluster {
  readonly tool: OtherTool;
  /** The folder of the files. */
  readonly out: string;
  /** What was written to the state store at once. */
  readonly result: RunResult;
}

export interface ToolRequest {
  readonly tool: OtherTool;
  /** The folder that gets the files. */
  readonly out?: string | undefined;
  /** How much of the cluster is written; all of it, unless given. */
  readonly scope?: Pick<Scope, 'phase' | 'lifecycleOverrides'>;
}

/** @throws ActionableError where clusters of this cloud cannot be written for that tool */
export async function requireTool(cluster: Cluster, tool: OtherTool): Promise<void> {
  await (tool === 'terraform' ? terraformTarget(cluster) : cloudFormationTarget(cluster));
}

/**
 * Writes a prepared cluster down for a tool that makes it. Opens no connection to a cloud.
 *
 * This release is noted as the one that applied the cluster, though the tool makes it later: keys, secrets and files of the state
 * store are written at once, and nobody else could note it. With kops, its version is one of the files that the tool writes.
 */
export async function writeForTool(
  context: ActionContext,
  prepared: PreparedCluster,
  { tool, out = `out/${tool}`, scope = {} }: ToolRequest,
): Promise<WrittenCluster> {
  const { store, completed, tasks, unpinned } = prepared;
  const { cluster } = completed;
  tellUnpinned(context, prepared);
  const { phase } = scope;
  const kinds = kindsOf(driverOf(cluster));
  const lifecycles = lifecyclesOf(kinds, phase, lifecyclesInScope(cluster, scope));
  const isWritten = ({ kind }: Task) => isForTool(kinds, kind, phase, lifecycles);
  const request = { store, cluster, tasks, unpinned, isWritten, out, signal: context.signal };
  const result = await inPhase(context, `write the files of ${tool}`, async () => {
    if (tool === 'terraform') {
      const { renderTerraform } = await import('../terraform/render-cluster.ts');
      return renderTerraform(request);
    }
    const { renderCloudFormation } = await import('../cloudformation/render-cluster.ts');
    const { result, left } = await renderCloudFormation(request);
    if (left.length > 0) note(context, leftToUpdate(cluster.metadata.name, left));
    return result;
  });
  // Without the lock of the cluster, somebody else may note it at the same moment.
  if (isMade(result)) await againOnConflict(() => noteAppliedRelease(store, cluster.metadata.name, context.signal));
  return { tool, out, result };
}

const leftToUpdate = (cluster: string, left: readonly string[]): string =>
  `Left out, as CloudFormation cannot do it: ${left.join(', ')}. Once the stack exists, \`kopsctl update cluster ${cluster} --yes\` does`;
