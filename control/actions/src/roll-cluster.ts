import { randomUUID } from 'node:crypto';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { openKubeClient, type KubeClient } from '@kopsctl/kube/client.ts';
import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';
import { tryAgain } from '@kopsctl/http/try-again.ts';
import type { Fleet, FleetGroup } from '@kopsctl/model/fleet.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import { issueAdminCredentials } from './access/admin-credentials.ts';
import { kubeAccess } from './access/kubernetes-api.ts';
import { openRunningCluster } from './cloud/running-cluster.ts';
import { findOutdated } from './outdated/find-outdated.ts';
import type { OutdatedMachine } from './outdated/plan-outdated.ts';
import { type ActionContext, inPhase, note } from './phases/action.ts';
import { nameOfCluster } from './phases/choose-cluster.ts';
import { openConvergence } from './phases/converge.ts';
import { openFleet, requireFleet } from './phases/open-fleet.ts';
import { openStateStore } from './phases/open-store.ts';
import { type PreparedCluster, prepareCluster } from './phases/prepare-cluster.ts';
import { storedCluster } from './phases/wanted-cluster.ts';
import { chooseMachines, type MachineChoice, refuseSkew, refuseUnapplied } from './rolling/choose-machines.ts';
import { chooseInPlace, type NotInPlace } from './rolling/choose-in-place.ts';
import { convergeInPlace } from './rolling/converge-in-place.ts';
import { openRollJournal, readRoll } from './rolling/journal.ts';
import { marksOf } from './rolling/mark-node.ts';
import { observeCluster } from './rolling/observe-cluster.ts';
import type { Roll, Turn } from './rolling/roll.ts';
import { type RollEvent, rollEvents } from './rolling/roll-events.ts';
import { withRollLock } from './rolling/roll-lock.ts';
import { settingsOf, type RollWishes } from './rolling/settings-of.ts';
import { runRoll } from './rolling/run-roll.ts';
import { refuseUnadopted } from './store/origin.ts';
import { isUnfinished, startRoll } from './rolling/start-roll.ts';
import { refuseBesideUpgrade } from './upgrade/operation-lock.ts';

/** Clouds, stores and validation have no events to wait for. What ends in this process is heard of at once. */
const LOOK_AGAIN_MS = 500;
/** An API server that starts is there within seconds. */
const API_RETRY_MS = 1000;

export interface RollRequest extends RollWishes, MachineChoice {
  readonly cluster?: string | undefined;
  /** Machines are replaced; otherwise it is only shown which. */
  readonly yes: boolean;
  /** All machines are replaced, whether they are outdated or not. */
  readonly force: boolean;
  /** Machines that can become what their plan says as they are do that; only the others are replaced. */
  readonly inPlace?: boolean;
  readonly drainTimeoutMs: number;
  /** Only machines of these roles were applied to the newest spec: of no other is it asked whether it is outdated. */
  readonly appliedRoles?: readonly NodeRole[] | undefined;
  /** It is a stage of an upgrade, which holds the lock of upgrades. */
  readonly isStage?: boolean;
  /** How long it is waited for an API server that does not answer yet. */
  readonly apiWaitMs?: number;
  /** Nothing is begun; what an earlier run left is put back as far as that is possible. */
  readonly abandons?: boolean;
  readonly assets?: string | undefined;
  /** Asks the person whether a machine may go. */
  readonly ask: (turn: Turn) => Promise<boolean>;
}

export interface RollingCluster {
  readonly cluster: string;
  readonly groups: readonly FleetGroup[];
  /** Those that were chosen. */
  readonly outdated: readonly OutdatedMachine[];
  /** Those that are replaced although they were to be changed in place, and why. */
  readonly notInPlace?: readonly NotInPlace[];
  /** A rolling update that was left before its end, where only the plan was asked for. */
  readonly unfinished?: Roll;
  /** How it ended, where machines were to be replaced. */
  readonly roll?: Roll;
}

/** Replaces the machines of a cluster that are outdated, a few at a time, or shows which they are. */
export async function rollCluster(context: ActionContext, request: RollRequest): Promise<RollingCluster> {
  const store = await openStateStore(context);
  const name = await nameOfCluster(context, store, request.cluster);
  if (request.yes) await refuseUnadopted(store, name);
  if (request.yes && request.isStage !== true) await refuseBesideUpgrade(store, name, `roll ${name}`);
  const wanted = await inPhase(context, 'read the cluster', () => storedCluster(store, name));
  const { assets, appliedRoles: roles } = request;
  const prepared = await prepareCluster(context, { store, wanted, assets, roles, asksCloud: true });
  const convergence = await openConvergence(context, prepared, { prune: false });
  const opened = requireFleet(await openFleet(prepared, convergence, context.signal), name);
  const { fleet } = opened;
  const kube = openAdminClient(prepared);
  const groups = await inPhase(context, 'ask the cloud for machines', () => fleet.groups(context.signal));
  const marked = request.cloudOnly
    ? new Set<string>()
    : await inPhase(context, 'ask the API for Nodes', () => markedNodes(kube, request.apiWaitMs ?? 0, context.signal));
  const found = await inPhase(context, 'compare machines with their plans', () => {
    const { tasks } = prepared;
    return findOutdated({ store, cluster: name, groups, tasks, marked, force: request.force, signal: context.signal });
  });
  const chosen = request.abandons === true ? [] : chooseMachines(found, request);
  const { outdated, refused } = request.inPlace
    ? await chooseInPlace(chosen, fleet, context.signal)
    : { outdated: chosen, refused: undefined };
  const former = await readRoll(store, name, context.signal);
  refuseUnapplied(name, opened.planned(), groups, former);
  refuseSkew(name, found, outdated);
  const shown = { cluster: name, groups, outdated, ...(refused && { notInPlace: refused }) };
  if (!request.yes) return isUnfinished(former) ? { ...shown, unfinished: former } : shown;
  if (outdated.length === 0 && !isUnfinished(former)) return shown;
  const rolled = await roll(context, request, { prepared, fleet, kube, groups, outdated });
  await tidy(context, fleet);
  return { ...shown, roll: rolled };
}

interface Rolling {
  readonly prepared: PreparedCluster;
  readonly fleet: Fleet;
  readonly kube: KubeClient;
  readonly groups: readonly FleetGroup[];
  readonly outdated: readonly OutdatedMachine[];
}

async function roll(context: ActionContext, request: RollRequest, rolling: Rolling): Promise<Roll> {
  const { prepared, fleet, kube, groups, outdated: chosen } = rolling;
  const { store, name: cluster, completed } = prepared;
  const nowMs = () => Date.now();
  const tell = (event: RollEvent) => context.onEvent({ type: 'roll', event });
  const { cloudOnly } = request;
  tellOutage(context, rolling);
  return withRollLock(store, cluster, async (signal) => {
    const journal = await openRollJournal(store, cluster, signal);
    const former = journal.entry;
    const makes = fleet.make !== undefined;
    const start = startRoll({
      former,
      chosen,
      groups,
      makes,
      abandons: request.abandons === true,
      id: randomUUID(),
      nowMs: nowMs(),
    });
    const machines = start.turns.filter(({ step }) => step !== 'done').length;
    tell({ type: 'roll-started', atMs: nowMs(), roll: start.id, machines, resumed: former?.id === start.id });
    const etcdClusters = (completed.cluster.spec.etcdClusters ?? []).map((etcd) => etcd.name ?? '');
    const observing = { fleet, kube, store, cluster, etcdClusters, cloudOnly, nowMs };
    return runRoll(
      start,
      settingsOf(request, completed, groups, fleet),
      {
        fleet,
        kube,
        journal,
        converge: (turn, machine, ended) =>
          convergeInPlace({ fleet, kube, lookAgainMs: LOOK_AGAIN_MS, nowMs }, turn, machine, ended),
        cloudOnly,
        drainTimeoutMs: request.drainTimeoutMs,
        lookAgainMs: LOOK_AGAIN_MS,
        nowMs,
        say: (line) => tell({ type: 'note', atMs: nowMs(), line }),
        ask: request.ask,
        observe: (ended, turns) => observeCluster(observing, ended, turns),
        onChange: (before, after) => rollEvents(before, after, nowMs()).forEach(tell),
      },
      { stop: context.signal, signal },
    );
  });
}

/** What is left of replaced machines is in nobody's way: the next roll tries again. */
async function tidy(context: ActionContext, fleet: Fleet): Promise<void> {
  try {
    await fleet.tidy?.(context.signal);
  } catch (error) {
    note(context, `What was only for the replaced machines is left: ${messageOf(error)}`);
  }
}

/** A cluster with one control plane has no API while that is replaced. */
function tellOutage(context: ActionContext, { groups, outdated }: Rolling): void {
  const controlPlanes = groups.filter(({ role }) => role === 'ControlPlane').flatMap(({ machines }) => machines);
  const [only] = controlPlanes;
  if (controlPlanes.length !== 1 || !outdated.some(({ machine }) => machine.id === only?.id)) return;
  note(
    context,
    `Note: ${only?.name ?? ''} is the only control plane: the API is away while it is replaced; pods run on`,
  );
}

const openAdminClient = ({ store, name, settings }: PreparedCluster): KubeClient =>
  openKubeClient(async () => {
    const running = await openRunningCluster(store, name, settings);
    const [address, credentials] = await Promise.all([running.api(), issueAdminCredentials(store, name, Date.now())]);
    return kubeAccess(address, credentials);
  });

/** The names of the Nodes whose machines people want to be replaced. */
async function markedNodes(kube: KubeClient, waitMs: number, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const pace = {
    retries: Math.ceil(waitMs / API_RETRY_MS),
    minTimeout: API_RETRY_MS,
    factor: 1,
    maxTimeout: API_RETRY_MS,
  };
  const ask = { pace, isPassing: () => !signal.aborted };
  const list = asRecord(await tryAgain(() => kube.get('/api/v1/nodes', signal), ask, signal));
  const names = asArray(list['items'])
    .filter((node) => marksOf(node).needsUpdate)
    .map((node) => asString(asRecord(asRecord(node)['metadata'])['name']) ?? '');
  return new Set(names);
}
