import { findCloud } from '@kopsctl/clouds/control.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { patchOf } from '@kopsctl/model/upgrade/channel.ts';
import { chooseTarget } from '@kopsctl/model/upgrade/choose-target.ts';
import { imagesOfGroup } from '@kopsctl/model/upgrade/images-of-group.ts';
import { versionLadder } from '@kopsctl/model/upgrade/ladder.ts';
import { planRungs } from '@kopsctl/model/upgrade/plan-rungs.ts';
import { type Proposal, proposeUpgrade } from '@kopsctl/model/upgrade/propose-upgrade.ts';
import { DEFAULT_CHANNEL } from '@kopsctl/spec/complete/identity.ts';
import { bareVersion } from '@kopsctl/spec/names.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { type ActionContext, inPhase, note } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { openConvergence } from './phases/converge.ts';
import { prepareCluster } from './phases/prepare-cluster.ts';
import { storedCluster } from './phases/wanted-cluster.ts';
import { appliedKubernetes } from './upgrade/applied-kubernetes.ts';
import { checkRungs } from './upgrade/check-rungs.ts';
import { doOperation } from './upgrade/do-operation.ts';
import { machineVersions } from './upgrade/machine-versions.ts';
import { isLeft, type Operation, type Stage, targetOf } from './upgrade/operation.ts';
import { readOperation } from './upgrade/operation-journal.ts';
import { stagesOfUpgrade } from './upgrade/plan-stages.ts';
import { readVersionChannel } from './upgrade/read-version-channel.ts';
import type { RollManner } from './roll-cluster.ts';

export interface UpgradeRequest {
  readonly cluster?: string | undefined;
  /** The version to go to; without it, the one that the channel recommends. */
  readonly kubernetesVersion?: string | undefined;
  /** A channel for the cluster from now on. */
  readonly channel?: string | undefined;
  /** It is done; otherwise it is only shown. */
  readonly yes: boolean;
  readonly manner: RollManner;
}

export interface UpgradedCluster {
  readonly cluster: string;
  /** What the spec gets, as kops shows it. Empty where an upgrade is continued, or none is needed. */
  readonly proposals: readonly Proposal[];
  readonly stages: readonly Stage[];
  /** One that was left unfinished, where only the plan was asked for. */
  readonly unfinished?: Operation;
  /** How it ended, where it was to be done. */
  readonly operation?: Operation;
}

/**
 * Brings a cluster to a newer version of Kubernetes, minor by minor: the spec, then the control planes, then all other
 * machines, as one piece of work that continues wherever it was cut off.
 */
export async function upgradeCluster(context: ActionContext, request: UpgradeRequest): Promise<UpgradedCluster> {
  const { yes, manner } = request;
  const { store, cluster } = await chooseCluster(context, request.cluster);
  const former = await readOperation(store, cluster, context.signal);
  if (isLeft(former) && former.kind === 'Upgrade') {
    refuseOtherTarget(cluster, former, request.kubernetesVersion);
    const left = { cluster, proposals: [], stages: former.stages };
    if (!yes) return { ...left, unfinished: former };
    return { ...left, operation: await doOperation(context, { store, cluster, kind: 'Upgrade', stages: [], manner }) };
  }
  const { proposals, stages } = await planUpgrade(context, store, cluster, request);
  const planned = { cluster, proposals, stages };
  if (!yes || stages.length === 0) return planned;
  return { ...planned, operation: await doOperation(context, { store, cluster, kind: 'Upgrade', stages, manner }) };
}

async function planUpgrade(
  context: ActionContext,
  store: StateStore,
  cluster: string,
  { kubernetesVersion, channel: named, manner }: UpgradeRequest,
): Promise<{ readonly proposals: readonly Proposal[]; readonly stages: readonly Stage[] }> {
  const { signal } = context;
  const [wanted, applied] = await inPhase(context, 'read the cluster', () =>
    Promise.all([storedCluster(store, cluster), appliedKubernetes(store, cluster, signal)]),
  );
  if (applied === undefined) throw neverMade(cluster);
  const location = named ?? wanted.cluster.spec.channel ?? DEFAULT_CHANNEL;
  const channel = await inPhase(context, 'read the channel', () => readVersionChannel(location, signal));
  const { version: target, remarks } = chooseTarget({ cluster, applied, named: kubernetesVersion, channel });
  for (const remark of remarks) note(context, remark);
  const cloud = findCloud(wanted.cluster.spec.cloudProvider);
  const proposals = proposeUpgrade({
    ...wanted,
    channel: named,
    applied,
    target,
    imagesOf: (group) => cloud && imagesOfGroup(channel, cloud, group, target),
  });
  if (proposals.length === 0) return { proposals, stages: [] };
  const preparation = { store, wanted, assets: manner.assets, asksCloud: true };
  // An image that is gone may be what the upgrade replaces.
  const prepared = await prepareCluster(context, { ...preparation, isMade: true });
  const convergence = await openConvergence(context, prepared, { prune: false });
  const versions = await inPhase(context, 'ask which versions machines run', () =>
    machineVersions(context, prepared, convergence),
  );
  const running = (versions ?? []).map(({ kubernetes }) => kubernetes);
  const ladder = versionLadder({ applied, running, target, patchOf: (minor) => patchOf(channel, minor) });
  const rungs = planRungs({ cluster: wanted.cluster, applied, ladder, proposals });
  await inPhase(context, 'check each step', () => checkRungs(context, rungs, preparation));
  return { proposals, stages: stagesOfUpgrade(rungs) };
}

function refuseOtherTarget(cluster: string, former: Operation, named: string | undefined): void {
  const target = targetOf(former);
  if (named === undefined || bareVersion(named) === target) return;
  throw new ActionableError({
    what: `upgrade ${cluster} to ${named}`,
    why: `an upgrade to ${target} was left unfinished (${former.state})`,
    next: `resume it: \`kopsctl rolling-update resume ${cluster}\`; or end it where it is: \`kopsctl rolling-update abort ${cluster}\``,
  });
}

const neverMade = (cluster: string): ActionableError =>
  new ActionableError({
    what: `upgrade ${cluster}`,
    why: 'it was never applied, so there is nothing that could be upgraded',
    next: `set the version with \`kopsctl set cluster ${cluster} spec.kubernetesVersion=VERSION\`, and make it with \`kopsctl update cluster ${cluster} --yes\``,
  });
