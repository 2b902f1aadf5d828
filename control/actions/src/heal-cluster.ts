import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { FleetGroup } from '@kopsctl/model/fleet.ts';
import { replacesUnreadyAfterMs } from '@kopsctl/spec/heal-settings.ts';
import { accessCluster } from './access/cluster-access.ts';
import { HEAL_DRAIN_MS, HEAL_WISHES, healRoll, seenByHealer } from './healing/heal-roll.ts';
import { type HealingPlan, planHealing, type Versions } from './healing/plan-healing.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { nameOfCluster } from './phases/choose-cluster.ts';
import { openConvergence } from './phases/converge.ts';
import { openFleet, requireFleet } from './phases/open-fleet.ts';
import { openStateStore } from './phases/open-store.ts';
import { type PreparedCluster, prepareCluster } from './phases/prepare-cluster.ts';
import { storedCluster } from './phases/wanted-cluster.ts';
import { refuseUnapplied } from './rolling/choose-machines.ts';
import { readRoll } from './rolling/journal.ts';
import { lookAtCluster } from './rolling/look-at-cluster.ts';
import type { Roll } from './rolling/roll.ts';
import { observingOf, type RolledCluster, rollMachines } from './rolling/roll-machines.ts';
import { settingsOf } from './rolling/settings-of.ts';
import { isMissed, isUnfinished } from './rolling/start-roll.ts';
import { refuseUnadopted } from './store/origin.ts';
import { appliedKubernetes } from './upgrade/applied-kubernetes.ts';
import { versionsIn } from './upgrade/machine-versions.ts';
import { refuseBesideUpgrade } from './upgrade/operation-lock.ts';

export interface HealRequest {
  readonly cluster?: string | undefined;
  /** A machine is replaced; otherwise that machine is only shown. */
  readonly yes: boolean;
  readonly assets?: string | undefined;
}

export interface HealedCluster {
  readonly cluster: string;
  readonly plan: HealingPlan;
  /** How its replacement ended, or that of a machine whose replacement was cut off. */
  readonly roll?: Roll;
}

/** Replaces the machine that has been unwell for too long, if there is one, or shows which that is. */
export async function healCluster(context: ActionContext, request: HealRequest): Promise<HealedCluster> {
  const store = await openStateStore(context);
  const cluster = await nameOfCluster(context, store, request.cluster);
  if (request.yes) {
    await refuseUnadopted(store, cluster);
    await refuseBesideUpgrade(store, cluster, `replace a machine of ${cluster}`);
  }
  const wanted = await inPhase(context, 'read the cluster', () => storedCluster(store, cluster));
  const prepared = await prepareCluster(context, {
    store,
    wanted,
    assets: request.assets,
    asksCloud: true,
    isMade: true,
  });
  const convergence = await openConvergence(context, prepared, { prune: false });
  const opened = requireFleet(await openFleet(context, prepared, convergence), cluster);
  const { settings } = prepared;
  const { kube } = await accessCluster(store, cluster, settings, { signal: context.signal });
  const rolled = { prepared, fleet: opened.fleet, kube, cloudOnly: HEAL_WISHES.cloudOnly };
  const observing = await observingOf(rolled, context.signal);
  const seen = await inPhase(context, 'look at the machines', () => lookAtCluster(observing, context.signal));
  const versions = await versionsNow(prepared, seen.groups, context.signal);
  const plan = planHealing({ seen, afterMs: patience(prepared), versions });
  const former = await readRoll(store, cluster, context.signal);
  const goesOn = isUnfinished(former) && former.purpose === 'heal';
  if (!request.yes || (plan.replace === undefined && !goesOn)) return { cluster, plan };
  refuseUnapplied(cluster, opened.planned(), seen.groups.map(withMissing), former);
  const roll = await replace(context, plan, rolled, seen.groups);
  return { cluster, plan, roll };
}

async function versionsNow(
  prepared: PreparedCluster,
  groups: readonly FleetGroup[],
  signal: AbortSignal,
): Promise<Versions | undefined> {
  const applied = await appliedKubernetes(prepared.store, prepared.name, signal);
  if (applied === undefined) return undefined;
  const controlPlanes = groups.filter(({ role }) => role === 'ControlPlane');
  return { applied, controlPlanes: await versionsIn(prepared, controlPlanes, signal) };
}

/** How long the machines of each group may be unwell; only for groups whose machines may be replaced. */
const patience = ({ completed }: PreparedCluster): ReadonlyMap<string, number> =>
  new Map(
    completed.instanceGroups.flatMap((group) => {
      const afterMs = replacesUnreadyAfterMs(completed.cluster, group);
      return afterMs === undefined ? [] : [[group.metadata.name, afterMs] as const];
    }),
  );

/** A machine that is gone is what is repaired here; it is not a change that somebody forgot to apply. */
const withMissing = (group: FleetGroup): FleetGroup => ({
  ...group,
  machines: [
    ...group.machines,
    ...(group.missing ?? []).map(({ name, nodeName }) => ({
      id: name,
      name,
      nodeName,
      instanceGroup: group.name,
      role: group.role,
      address: '',
      running: false,
      isCurrent: true,
      standing: 'counted' as const,
    })),
  ],
});

function replace(
  context: ActionContext,
  plan: HealingPlan,
  rolled: RolledCluster,
  groups: readonly FleetGroup[],
): Promise<Roll> {
  const { prepared, fleet } = rolled;
  const makes = fleet.make !== undefined;
  return rollMachines(context, rolled, {
    settings: settingsOf(HEAL_WISHES, prepared.completed, groups, fleet),
    drainTimeoutMs: HEAL_DRAIN_MS,
    ask: async () => true,
    seen: seenByHealer,
    start: (former, id, nowMs) => {
      if (isMissed(former) && former.purpose !== 'heal') throw unfinishedByOther(prepared.name, former);
      return healRoll({ former, replace: plan.replace, groups, makes, id, nowMs });
    },
  });
}

const unfinishedByOther = (cluster: string, { state, startedMs }: Roll): ActionableError =>
  new ActionableError({
    what: `replace a machine of ${cluster}`,
    why: `a rolling update that began at ${new Date(startedMs).toISOString()} was left (${state})`,
    next: `finish it with \`kopsctl rolling-update resume ${cluster}\`, or put back what it left with \`kopsctl rolling-update abort ${cluster}\``,
  });
