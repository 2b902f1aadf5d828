import type { CreatedCluster } from '@kopsctl/model/create-cluster/create-cluster.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { specCloud } from '@kopsctl/clouds/control.ts';
import type { SshPublicKey } from '../keys/ssh-public-key.ts';
import { planNewCluster, storeNewCluster } from '../store/store-new-cluster.ts';
import { type ActionContext, inPhase, result } from './action.ts';
import { askForTool } from './ask-for-tool.ts';
import { type Convergence, openConvergence } from './converge.ts';
import { isMade, makeCluster } from './make-cluster.ts';
import { openStateStore } from './open-store.ts';
import { pinPrepared, type PreparedCluster, prepareCluster, tellUnpinned } from './prepare-cluster.ts';
import { type ReachedCluster, reachCluster } from './reach-cluster.ts';
import { refuseUnmadeCloud } from './refuse-unmade-cloud.ts';
import type { WantedCluster } from './wanted-cluster.ts';
import { writeAccess } from './write-access.ts';
import { type OtherTool, requireTool, type WrittenCluster, writeForTool } from './write-for-tool.ts';

/** What is done with a new cluster besides storing it. */
export interface Keeping {
  /** It is made. */
  readonly yes: boolean;
  /** No cloud is asked: what making it takes is not shown. */
  readonly offline: boolean;
  readonly target?: 'direct' | 'dryrun' | OtherTool | undefined;
  readonly out?: string | undefined;
  /** The folder of prepared assets, where one was named. */
  readonly assets?: string | undefined;
}

export type KeptCluster =
  /** It could not be planned, so nothing was stored. */
  | { readonly kind: 'refused'; readonly planned: RunResult }
  | { readonly kind: 'stored'; readonly created: CreatedCluster; readonly planned?: RunResult }
  | { readonly kind: 'written'; readonly created: CreatedCluster; readonly written: WrittenCluster }
  | {
      readonly kind: 'applied';
      readonly created: CreatedCluster;
      readonly result: RunResult;
      readonly reached?: ReachedCluster;
      /** The file in which kubectl finds the cluster. */
      readonly kubeconfig?: string;
    };

/** A new cluster leaves nothing out and has nothing to be pruned. */
const ALL_OF_IT = { prune: false };
/** How long to wait for local machines. */
const WAIT_MS = 10 * 60_000;

/** Stores a new cluster once nothing stands in the way of making it; then makes it, or writes it down for another tool. */
export async function keepNewCluster(
  context: ActionContext,
  { created, sshKey }: { readonly created: CreatedCluster; readonly sshKey: SshPublicKey | undefined },
  { yes, offline, target, out, assets }: Keeping,
): Promise<KeptCluster> {
  refuseUnmadeCloud(created.cluster);
  const store = await openStateStore(context);
  const wanted = await inPhase(context, 'look for a cluster of that name', async (): Promise<WantedCluster> => {
    const changes = await planNewCluster(store, created, sshKey);
    return { name: created.cluster.metadata.name, ...created, changes, objects: [] };
  });
  const tool = target === 'terraform' || target === 'cloudformation' ? target : undefined;
  if (tool !== undefined) await requireTool(created.cluster, tool);
  const applies = yes && target !== 'dryrun';
  if (offline && !applies && tool === undefined) {
    await storeCluster(context, store, created, wanted);
    return { kind: 'stored', created };
  }
  const prepared = await prepareCluster(context, {
    store,
    wanted,
    assets,
    asksCloud: tool === undefined,
    // What is only shown needs no hash of what machines download, and whether the cloud can be reached is asked first.
    offline: tool === undefined || offline,
  });
  if (tool !== undefined) {
    const asked = await askForTool(context, prepared, { offline, objects: wanted.objects });
    await storeCluster(context, store, created, wanted);
    return { kind: 'written', created, written: await writeForTool(context, asked, { tool, out }) };
  }
  const convergence = await openConvergence(context, prepared, ALL_OF_IT);
  const planned = await inPhase(context, 'plan the changes', () => convergence.plan(context.signal));
  if (planned.failed > 0 || planned.cancelled) return { kind: 'refused', planned };
  if (!applies) {
    tellUnpinned(context, prepared);
    await storeCluster(context, store, created, wanted);
    return { kind: 'stored', created, planned };
  }
  const pinned = await pinPrepared(context, wanted, prepared);
  await storeCluster(context, store, created, wanted);
  const making = pinned === prepared ? convergence : await openConvergence(context, pinned, ALL_OF_IT);
  return { kind: 'applied', created, ...(await make(context, pinned, making)) };
}

async function storeCluster(
  context: ActionContext,
  store: StateStore,
  created: CreatedCluster,
  { name, instanceGroups, changes }: WantedCluster,
): Promise<void> {
  await inPhase(context, 'store the cluster', () => storeNewCluster(store, created, changes));
  result(context, `Created cluster/${name} and ${instanceGroups.length} instance groups`);
}

async function make(
  context: ActionContext,
  prepared: PreparedCluster,
  convergence: Convergence,
): Promise<{ readonly result: RunResult; readonly reached?: ReachedCluster; readonly kubeconfig?: string }> {
  const made = await makeCluster(context, prepared, convergence, async () => undefined);
  if (!isMade(made)) return { result: made };
  const { cluster } = prepared.completed;
  if (specCloud(cluster).traits.sharesHost) {
    return { result: made, reached: await reachCluster(context, prepared, WAIT_MS) };
  }
  const kubeconfig = await writeAccess(context, { cluster: cluster.metadata.name, result: made }, {});
  return { result: made, ...(kubeconfig !== undefined && { kubeconfig }) };
}
