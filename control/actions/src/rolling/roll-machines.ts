import { randomUUID } from 'node:crypto';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import type { Fleet } from '@kopsctl/model/fleet.ts';
import { wantedEtcds } from '../etcd/wanted-etcds.ts';
import { type ActionContext, count } from '../phases/action.ts';
import type { PreparedCluster } from '../phases/prepare-cluster.ts';
import { readCluster } from '../store/cluster-store.ts';
import { readOrigin } from '../store/origin.ts';
import { convergeInPlace } from './converge-in-place.ts';
import { openRollJournal } from './journal.ts';
import { lookAtCluster, type Observing } from './look-at-cluster.ts';
import { podsOf } from './pods-of.ts';
import { type RollEvent, rollEvents } from './roll-events.ts';
import { ROLLING, withRollLock } from './roll-lock.ts';
import type { RollSettings } from './roll-settings.ts';
import type { Roll } from './roll.ts';
import { runRoll } from './run-roll.ts';
import type { Seen } from './seen.ts';
import type { StepEnv } from './take-step.ts';

/** Clouds, stores and validation have no events to wait for. What ends in this process is heard of at once. */
const LOOK_AGAIN_MS = 500;

const nowMs = (): number => Date.now();

/** A cluster whose machines are replaced. */
export interface RolledCluster {
  readonly prepared: PreparedCluster;
  readonly fleet: Fleet;
  readonly kube: KubeClient;
  /** The Kubernetes API is not used. */
  readonly cloudOnly: boolean;
}

/** How machines are replaced. A rolling update and a replacement of what is unwell differ in nothing else. */
export interface RollOrder {
  readonly settings: RollSettings;
  readonly drainTimeoutMs: number;
  /**
   * The journal with which it begins.
   *
   * @param former the journal as it was left
   * @param id of a rolling update that begins now
   * @throws where `former` has to be finished first
   */
  readonly start: (former: Roll | undefined, id: string, nowMs: number) => Roll;
  /** What counts of what is seen; all of it unless given. */
  readonly seen?: (seen: Seen, roll: Roll | undefined) => Seen;
  readonly ask: StepEnv['ask'];
}

/** What is looked at while machines of a cluster are replaced. */
export async function observingOf(rolled: RolledCluster, signal: AbortSignal): Promise<Observing> {
  const { prepared, fleet, kube, cloudOnly } = rolled;
  const { store, name: cluster, completed } = prepared;
  const isOfKops = (await readOrigin(store, cluster, signal)).maker === 'kops';
  return { fleet, kube, store, cluster, etcdClusters: wantedEtcds(completed.cluster), isOfKops, cloudOnly, nowMs };
}

/** Replaces machines while nobody else does, and tells what happens to them. Resolves with the journal. */
export async function rollMachines(context: ActionContext, rolled: RolledCluster, order: RollOrder): Promise<Roll> {
  const { prepared, fleet, kube, cloudOnly } = rolled;
  const { store, name: cluster } = prepared;
  const { settings, drainTimeoutMs, ask, seen: counted = (seen) => seen } = order;
  const tell = (event: RollEvent) => context.onEvent({ type: 'roll', event });
  return withRollLock(store, cluster, { context, what: `roll ${cluster}`, purpose: ROLLING }, async (signal) => {
    // A deletion may have ended since this was prepared: a machine that is made now would belong to no cluster.
    await readCluster(store, cluster);
    const journal = await openRollJournal(store, cluster, signal);
    const former = journal.entry;
    const start = order.start(former, randomUUID(), nowMs());
    const machines = start.turns.filter(({ step }) => step !== 'done').length;
    tell({ type: 'roll-started', atMs: nowMs(), roll: start.id, machines, resumed: former?.id === start.id });
    const observing = await observingOf(rolled, signal);
    const pace = { lookAgainMs: LOOK_AGAIN_MS, nowMs };
    return runRoll(
      start,
      settings,
      {
        ...pace,
        fleet,
        kube,
        journal,
        cloudOnly,
        drainTimeoutMs,
        ask,
        converge: (turn, machine, begunMs, ended) =>
          convergeInPlace({ ...pace, fleet, kube, begunMs }, turn, machine, ended),
        say: (line) => tell({ type: 'note', atMs: nowMs(), line }),
        onPodsLeft: (node, done, total) => count(context, { what: podsOf(node), done, total }),
        observe: async (ended, turns) => counted(await lookAtCluster(observing, ended, turns), journal.entry),
        onChange: (before, after) => rollEvents(before, after, nowMs()).forEach(tell),
      },
      { stop: context.signal, signal },
    );
  });
}
