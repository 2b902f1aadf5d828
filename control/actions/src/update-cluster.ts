import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import { readOnce } from '@kopsctl/state-store/read-once.ts';
import { type AppliedCluster, applyCluster } from './apply-cluster.ts';
import { refuseUncheckable } from './cloud/lifecycle.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import type { KubeconfigWish } from './access/kubeconfig-wish.ts';
import { createSshPublicKey } from './create-ssh-public-key.ts';
import { askForTool } from './phases/ask-for-tool.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { lifecyclesInScope, type Scope } from './phases/converge.ts';
import { prepareCluster } from './phases/prepare-cluster.ts';
import { refusePartialPrune } from './phases/refuse-partial-prune.ts';
import { refuseVersionStep } from './phases/refuse-version-step.ts';
import { storedCluster } from './phases/wanted-cluster.ts';
import { writeAccess } from './phases/write-access.ts';
import { type OtherTool, type WrittenCluster, writeForTool } from './phases/write-for-tool.ts';
import { refuseDowngrade } from './store/applied-release.ts';
import { readCluster } from './store/cluster-store.ts';
import { type PlannedCluster, planCluster } from './plan-cluster.ts';
import { refuseUnadopted } from './store/origin.ts';
import { readAhead } from './store/read-ahead.ts';
import { refuseBesideOperation } from './upgrade/refuse-beside-operation.ts';

export interface UpdateRequest {
  readonly cluster?: string | undefined;
  readonly target: 'direct' | OtherTool;
  /** Changes are made; otherwise they are planned. Files for another tool are written either way. */
  readonly yes: boolean;
  readonly out?: string | undefined;
  readonly scope: Scope;
  /** Files for another tool are written without opening a connection. */
  readonly offline?: boolean;
  readonly assets?: string | undefined;
  /** Only machines of these roles are made and changed, with what all share. */
  readonly roles?: readonly NodeRole[] | undefined;
  /** Only machines of these groups are made and changed, with what all share. */
  readonly instanceGroups?: readonly string[] | undefined;
  /** Another minor version of Kubernetes is applied, whatever machines run now. */
  readonly ignoresSkew?: boolean | undefined;
  /** How the person's kubeconfig gets the cluster once it was applied; without it, it does not. */
  readonly kubeconfig?: KubeconfigWish | undefined;
  /** It is applied even where a newer kopsctl applied it last. */
  readonly allowsDowngrade?: boolean | undefined;
  /** A public key that may log in to the machines; it is stored before the cluster is applied. */
  readonly sshPublicKeyFile?: string | undefined;
}

export type UpdatedCluster =
  | { readonly kind: 'planned'; readonly planned: PlannedCluster }
  | { readonly kind: 'applied'; readonly applied: AppliedCluster; readonly kubeconfig?: string }
  | {
      readonly kind: 'written';
      readonly cluster: string;
      readonly written: WrittenCluster;
      readonly kubeconfig?: string;
    };

/** Applies a stored cluster, or writes it down for a tool that makes it. */
export async function updateCluster(context: ActionContext, request: UpdateRequest): Promise<UpdatedCluster> {
  const { target, yes, cluster, scope, assets, roles, instanceGroups, ignoresSkew, allowsDowngrade } = request;
  const { sshPublicKeyFile: file } = request;
  await refuseUnknownLifecycles(context, request);
  const keepKey = async () => (file === undefined ? undefined : storeSshKey(context, request, file));
  if (target !== 'direct') {
    await keepKey();
    return writeStoredCluster(context, { ...request, target });
  }
  const what = { cluster, scope, assets, roles, instanceGroups, ignoresSkew };
  if (yes) {
    await keepKey();
    const applied = await applyCluster(context, { ...what, allowsDowngrade });
    const kubeconfig = request.kubeconfig && (await writeAccess(context, applied, request.kubeconfig));
    return { kind: 'applied', applied, ...(kubeconfig !== undefined && { kubeconfig }) };
  }
  return { kind: 'planned', planned: await planCluster(context, what) };
}

/** A word that means nothing is found before anything is stored, or asked of a cloud. */
async function refuseUnknownLifecycles(
  context: ActionContext,
  { cluster: argument, target, scope }: UpdateRequest,
): Promise<void> {
  if (scope.lifecycleOverrides === undefined || scope.lifecycleOverrides.length === 0) return;
  const { store, cluster } = await chooseCluster(context, argument);
  const lifecycles = lifecyclesInScope((await readCluster(store, cluster)).cluster, scope);
  if (target !== 'direct') refuseUncheckable(lifecycles, target);
}

/** Stores the key, because what is made depends on it. Nothing is stored for a cluster that this kopsctl is not to change. */
async function storeSshKey(
  context: ActionContext,
  { cluster: argument, target, scope, roles, instanceGroups, allowsDowngrade = false }: UpdateRequest,
  file: string,
): Promise<void> {
  const { store, cluster } = await chooseCluster(context, argument);
  await refuseUnadopted(store, cluster);
  if (!allowsDowngrade) await refuseDowngrade(store, cluster);
  if (target === 'direct') refusePartialPrune(scope, { roles, instanceGroups });
  await refuseBesideOperation(store, cluster, { what: doing(cluster, target), roles }, context.signal);
  await createSshPublicKey(context, { cluster, file });
}

const doing = (cluster: string, target: UpdateRequest['target']): string =>
  target === 'direct' ? `apply ${cluster}` : `write ${cluster} for ${target}`;

async function writeStoredCluster(
  context: ActionContext,
  {
    cluster: argument,
    target: tool,
    out,
    scope,
    assets,
    roles,
    instanceGroups,
    ignoresSkew = false,
    allowsDowngrade = false,
    offline = false,
    yes,
    kubeconfig: wish,
  }: UpdateRequest & { readonly target: OtherTool },
): Promise<UpdatedCluster> {
  const { store: stored, cluster } = await chooseCluster(context, argument);
  const store = readOnce(stored);
  readAhead(store, cluster, context.signal);
  const wanted = await inPhase(context, 'read the cluster', () => storedCluster(store, cluster));
  await refuseUnadopted(store, cluster);
  if (!allowsDowngrade) await refuseDowngrade(store, cluster);
  await refuseBesideOperation(store, cluster, { what: doing(cluster, tool), roles }, context.signal);
  // Which versions machines run is not asked: for another tool, the cloud is asked nothing that the files do not need.
  if (!ignoresSkew) await refuseVersionStep(store, wanted, context.signal);
  const prepared = await prepareCluster(context, {
    store,
    wanted,
    assets,
    roles,
    instanceGroups,
    asksCloud: false,
    offline,
  });
  const asked = await askForTool(context, prepared, { offline, objects: wanted.objects });
  const written = await writeForTool(context, asked, { tool, out, scope });
  // kops does so too, although the tool makes the cluster later (cmd/kops/update_cluster.go).
  const kubeconfig =
    yes && wish !== undefined
      ? await writeAccess(context, { cluster, result: written.result }, { ...wish, asksCloud: !offline })
      : undefined;
  return { kind: 'written', cluster, written, ...(kubeconfig !== undefined && { kubeconfig }) };
}
