import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import { tryAgain } from '@kopsctl/http/try-again.ts';
import type { Fleet, FleetGroup } from '@kopsctl/model/fleet.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import { openAdminClient } from './access/admin-client.ts';
import type { ApiChoice } from './access/api-choice.ts';
import { runningCluster } from './cloud/running-cluster.ts';
import { findOutdated, wantedPlans } from './outdated/find-outdated.ts';
import { markedNodes } from './outdated/marked-nodes.ts';
import { MARKED, type OutdatedMachine } from './outdated/plan-outdated.ts';
import { type ActionContext, inPhase, note } from './phases/action.ts';
import { nameOfCluster } from './phases/choose-cluster.ts';
import { openConvergence } from './phases/converge.ts';
import { type OpenedFleet, openFleet, requireFleet } from './phases/open-fleet.ts';
import { openStateStore } from './phases/open-store.ts';
import { type PreparedCluster, prepareCluster } from './phases/prepare-cluster.ts';
import { storedCluster } from './phases/wanted-cluster.ts';
import { askedOf } from './rolling/asked.ts';
import {
  chooseMachines,
  type MachineChoice,
  refuseSkew,
  refuseUnapplied,
  refuseUnknownGroups,
} from './rolling/choose-machines.ts';
import { chooseInstance } from './rolling/choose-instance.ts';
import { chooseInPlace, type NotInPlace } from './rolling/choose-in-place.ts';
import { readRoll } from './rolling/journal.ts';
import { isUnderWay, type Roll, type Turn } from './rolling/roll.ts';
import { resumedRequest } from './rolling/resumed-request.ts';
import { type RolledCluster, rollMachines } from './rolling/roll-machines.ts';
import { settingsOf, type RollWishes } from './rolling/settings-of.ts';
import { refuseUnadopted, unadoptedRelease } from './store/origin.ts';
import { isUnfinished, startRoll, taintedForNothing, withoutForcedAgain } from './rolling/start-roll.ts';
import { tellOutage } from './rolling/tell-outage.ts';
import { removeOldReports } from './timeline/remove-old-reports.ts';
import { refuseBesideUpgrade } from './upgrade/operation-lock.ts';

/** An API server that starts is there within seconds. */
const API_RETRY_MS = 1000;

export interface RollRequest extends RollWishes, MachineChoice {
  readonly cluster?: string | undefined;
  /** Machines are replaced; otherwise they are only shown. */
  readonly yes: boolean;
  /** All machines are replaced, whether they are outdated or not. */
  readonly force: boolean;
  /** Only this machine, by its name in the cloud. */
  readonly instance?: string | undefined;
  /** Machines that can become what their plan says as they are do that; only the others are replaced. */
  readonly inPlace?: boolean;
  readonly drainTimeoutMs: number;
  /** Only machines of these roles were applied to the newest spec: no other machine is checked for being outdated. */
  readonly appliedRoles?: readonly NodeRole[] | undefined;
  /** It is a stage of an upgrade, which holds the lock of upgrades. */
  readonly isStage?: boolean;
  /** How long to wait for an API server that does not answer yet. */
  readonly apiWaitMs?: number;
  /** What an earlier run left is continued, as it was asked for. */
  readonly resumes?: boolean | undefined;
  /** Nothing is begun; what an earlier run left is put back as far as that is possible. */
  readonly abandons?: boolean;
  readonly assets?: string | undefined;
  /** Where the API is asked, if a person says so, and how long the certificate for that is valid. */
  readonly choice?: ApiChoice | undefined;
  readonly lifetimeMs?: number | undefined;
  /** Asks the person whether a machine may go. */
  readonly ask: (turn: Turn, signal: AbortSignal) => Promise<boolean>;
}

/** How machines are replaced, whichever they are. */
export type RollManner = Omit<RollRequest, 'cluster' | 'yes' | 'instanceGroups' | 'roles' | 'machines' | 'instance'>;

export interface RollingCluster {
  readonly cluster: string;
  readonly groups: readonly FleetGroup[];
  /** Those that were chosen. */
  readonly outdated: readonly OutdatedMachine[];
  /** Those that are replaced although they were to be changed in place, and why. */
  readonly notInPlace?: readonly NotInPlace[];
  /** The release of kops that made it, where kopsctl has not taken it over: then none is replaced. */
  readonly unadopted?: string;
  /** A rolling update that was left unfinished, where only the plan was asked for. */
  readonly unfinished?: Roll;
  /** How it ended, where machines were to be replaced. */
  readonly roll?: Roll;
}

/** Replaces the machines of a cluster that are outdated, a few at a time, or shows which they are. */
export async function rollCluster(context: ActionContext, given: RollRequest): Promise<RollingCluster> {
  const opened = await openRoll(context, given);
  const { name, asked, former, prepared, fleet, kube } = opened;
  const groups = await inPhase(context, 'ask the cloud for machines', () => fleet.groups(context.signal));
  const { instance } = asked;
  const request =
    instance === undefined ? asked : { ...asked, machines: [chooseInstance(name, instance, groups, former)] };
  const { outdated, refused } = await choose(context, { ...opened, groups, request });
  const shown = { cluster: name, groups, outdated, ...(refused && { notInPlace: refused }) };
  if (!request.yes) {
    const unadopted = await unadoptedRelease(opened.prepared.store, name, context.signal);
    const left = isUnfinished(former) ? { unfinished: former } : {};
    return { ...shown, ...left, ...(unadopted !== undefined && { unadopted }) };
  }
  if (outdated.length === 0 && !isUnfinished(former) && taintedForNothing(former, groups).length === 0) return shown;
  const { cloudOnly } = request;
  const rolled = await roll(context, request, { prepared, fleet, kube, cloudOnly, groups, outdated });
  await tidy(context, { prepared, fleet, kube, cloudOnly });
  return { ...shown, roll: rolled };
}

interface OpenedRoll {
  readonly name: string;
  /** What is done. */
  readonly asked: RollRequest;
  /** What an earlier run left. */
  readonly former: Roll | undefined;
  readonly prepared: PreparedCluster;
  readonly fleet: Fleet;
  /** What an update would change first. */
  readonly planned: OpenedFleet['planned'];
  readonly kube: KubeClient;
}

/** Reads the cluster, and opens its cloud and its API. Replaces nothing. */
async function openRoll(context: ActionContext, given: RollRequest): Promise<OpenedRoll> {
  const store = await openStateStore(context);
  const name = await nameOfCluster(context, store, given.cluster);
  const former = await readRoll(store, name, context.signal);
  const asked = requestOf(name, given, former);
  if (asked.yes) await refuseUnadopted(store, name);
  if (asked.yes && asked.isStage !== true) await refuseBesideUpgrade(store, name, `roll ${name}`);
  const wanted = await inPhase(context, 'read the cluster', () => storedCluster(store, name));
  // Found out before anything is asked that may not answer.
  const known = wanted.instanceGroups.map(({ metadata }) => metadata.name);
  if (given.resumes !== true) refuseUnknownGroups(name, given, known);
  const { assets, appliedRoles: roles, choice, lifetimeMs } = asked;
  const prepared = await prepareCluster(context, { store, wanted, assets, roles, asksCloud: true, isMade: true });
  const convergence = await openConvergence(context, prepared, { prune: false });
  const { fleet, planned } = requireFleet(await openFleet(context, prepared, convergence), name);
  const kube = openAdminClient(prepared, { choice, lifetimeMs, env: context.env });
  return { name, asked, former, prepared, fleet, planned, kube };
}

interface Choosing extends OpenedRoll {
  readonly groups: readonly FleetGroup[];
  readonly request: RollRequest;
}

/** Which machines are replaced, and which of them although they were to be changed in place. @throws ActionableError */
async function choose(
  context: ActionContext,
  { name, former, prepared, fleet, planned, kube, groups, request }: Choosing,
): Promise<{
  readonly outdated: readonly OutdatedMachine[];
  readonly refused: readonly NotInPlace[] | undefined;
}> {
  const { store, tasks } = prepared;
  const { signal } = context;
  const marked = request.cloudOnly
    ? new Set<string>()
    : await inPhase(context, 'ask the API for Nodes', () =>
        waitForMarks(kube, request.apiWaitMs ?? 0, signal).catch((error: unknown) =>
          marksBefore(context, error, former, groups),
        ),
      );
  const found = await inPhase(context, 'compare machines with their plans', () => {
    const force = request.force && request.machines !== undefined ? new Set(request.machines) : request.force;
    return findOutdated({ store, cluster: name, groups, tasks, marked, force, signal });
  });
  const wished = request.abandons === true ? [] : chooseMachines(found, request);
  const chosen = withoutForcedAgain(former, wished);
  const { outdated, refused } = request.inPlace
    ? await chooseInPlace(chosen, fleet, former, signal)
    : { outdated: chosen, refused: undefined };
  // What was left is put back whatever else is to be applied.
  if (request.abandons !== true) refuseUnapplied(name, planned(), groups, former);
  refuseSkew(name, found, outdated);
  return { outdated, refused };
}

/** What is done: what is asked for, or what was asked of the rolling update that is continued or put back. */
function requestOf(cluster: string, given: RollRequest, former: Roll | undefined): RollRequest {
  if (given.resumes === true) return resumedRequest(cluster, given, former);
  return given.abandons === true ? { ...given, ...former?.asked } : given;
}

interface Rolling extends RolledCluster {
  readonly groups: readonly FleetGroup[];
  readonly outdated: readonly OutdatedMachine[];
}

function roll(context: ActionContext, request: RollRequest, rolling: Rolling): Promise<Roll> {
  const { prepared, fleet, cloudOnly, groups, outdated: chosen } = rolling;
  const outage = tellOutage(groups, chosen);
  if (outage !== undefined) note(context, outage);
  return rollMachines(context, rolling, {
    settings: settingsOf(request, prepared.completed, groups, fleet),
    drainTimeoutMs: request.drainTimeoutMs,
    ask: request.ask,
    start: (former, id, nowMs) =>
      startRoll({
        former,
        chosen,
        groups,
        makes: fleet.make !== undefined,
        cloudOnly,
        asked: askedOf(request),
        plans: new Map([...wantedPlans(prepared.tasks)].map(([group, { hash }]) => [group, hash])),
        abandons: request.abandons === true,
        id,
        nowMs,
      }),
  });
}

/** Removes what is left of replaced machines. A failure does no harm: the next roll tries again. */
async function tidy(context: ActionContext, { prepared, fleet, kube, cloudOnly }: RolledCluster): Promise<void> {
  const { signal } = context;
  if (signal.aborted) return;
  try {
    await fleet.tidy?.(signal);
  } catch (error) {
    note(context, `What only the replaced machines used could not be removed: ${messageOf(error)}`);
  }
  if (cloudOnly) return;
  const { store, name: cluster, completed, settings } = prepared;
  const machines = async () => (await runningCluster(completed, store, settings)).machines();
  const groups = (ending: AbortSignal) => fleet.groups(ending);
  try {
    await removeOldReports({ store, cluster, groups, machines, kube }, signal);
  } catch (error) {
    note(context, `Reports of machines that are gone could not be removed: ${messageOf(error)}`);
  }
}

/**
 * While the control plane that alone serves the API is replaced, nobody can be asked which Nodes are marked. What was marked
 * when that began still is; otherwise nobody could go on, and the control plane would never be made again.
 */
function marksBefore(
  context: ActionContext,
  error: unknown,
  former: Roll | undefined,
  groups: readonly FleetGroup[],
): ReadonlySet<string> {
  const turns = isUnfinished(former) ? former.turns : [];
  const isAway = turns.some((turn) => turn.role === 'ControlPlane' && (isUnderWay(turn) || turn.step === 'failed'));
  if (!isAway || context.signal.aborted) throw error;
  note(context, `Continuing without the API, because a control plane is being replaced: ${messageOf(error)}`);
  const there = new Set(groups.flatMap(({ machines }) => machines.map(({ id }) => id)));
  return new Set(turns.filter(({ id, why }) => why === MARKED && there.has(id)).map(({ node }) => node));
}

/** The Nodes that people want to be replaced. What serves the API may still be on its way. */
function waitForMarks(kube: KubeClient, waitMs: number, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const pace = {
    retries: Math.ceil(waitMs / API_RETRY_MS),
    minTimeout: API_RETRY_MS,
    factor: 1,
    maxTimeout: API_RETRY_MS,
  };
  return tryAgain(() => markedNodes(kube, signal), { pace, isPassing: () => !signal.aborted }, signal);
}
