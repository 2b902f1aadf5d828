import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import { runSimulated, type SimulatedRun } from '../../rolling/testing/run-simulated.ts';
import type { SimulatedCluster } from '../../rolling/testing/simulated-cluster.ts';
import type { Journal } from '../../store/journal.ts';
import { isLeft, type Operation, resumedOperation, type Stage } from '../operation.ts';
import { openOperationJournal } from '../operation-journal.ts';
import { stagesOfUpgrade } from '../plan-stages.ts';
import { runOperation, type StageOutcome } from '../run-operation.ts';

const CONTROL_PLANES: readonly NodeRole[] = ['ControlPlane', 'APIServer'];

export interface SimulatedUpgrade extends Pick<SimulatedRun, 'onBoundary' | 'onLook' | 'onEvent' | 'wishes'> {
  /** Minor versions of Kubernetes, as what machines of the simulated cluster are made from. */
  readonly versions: readonly number[];
  readonly stop?: AbortSignal;
  readonly onStage?: (stage: Stage) => void;
  /** Whether something that was written into the journal is not answered, as where the connection is cut at that moment. */
  readonly losesAnswer?: () => boolean;
}

/** Upgrades a simulated cluster with the code that upgrades real ones, as a process of its own would. */
export async function upgradeSimulated(cluster: SimulatedCluster, upgrade: SimulatedUpgrade): Promise<Operation> {
  const { versions, onBoundary = () => {}, onStage = () => {}, stop = new AbortController().signal } = upgrade;
  const { losesAnswer = () => false, onLook, onEvent, wishes } = upgrade;
  const run = { ...(onLook && { onLook }), ...(onEvent && { onEvent }), ...(wishes && { wishes }) };
  const dead = new AbortController();
  const { signal } = dead;
  const opened = await openOperationJournal(cluster.store, cluster.clusterName, signal);
  const journal: Journal<Operation> = {
    get entry() {
      return opened.entry;
    },
    refresh: () => opened.refresh(),
    write: async (entry) => {
      const written = await between('note', () => opened.write(entry));
      if (losesAnswer()) throw Object.assign(new Error('no answer'), { code: 'ECONNRESET' });
      return written;
    },
  };
  const pass = (boundary: string): void => {
    try {
      onBoundary(boundary);
    } catch (error) {
      dead.abort(error);
      throw error;
    }
  };
  /** A process may be killed before and after; then it repeats nothing. */
  const between = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    pass(`before ${what}`);
    const result = await work();
    pass(`after ${what}`);
    return result;
  };
  const apply = (kubernetes: string, roles: readonly NodeRole[]): Promise<StageOutcome> =>
    between('update', async () => {
      for (const role of roles) cluster.applied.set(role, Number(kubernetes));
      return { state: 'done' };
    });
  const roll = async (roles?: readonly NodeRole[]): Promise<StageOutcome> => {
    const { state } = await runSimulated(cluster, { ...run, onBoundary, stop, ...(roles !== undefined && { roles }) });
    return state === 'done' ? { state } : { state: state === 'rolling' ? 'stopped' : state, why: 'as the roll ended' };
  };
  const take = async ({ what, kubernetes }: Stage): Promise<StageOutcome> => {
    switch (what) {
      case 'update-control-planes':
        return apply(kubernetes, CONTROL_PLANES);
      case 'roll-control-planes':
        return roll(CONTROL_PLANES);
      case 'update':
        return apply(kubernetes, ['ControlPlane', 'APIServer', 'Node', 'Bastion']);
      case 'roll':
        return roll();
      case 'set-spec':
      case 'prune':
        return between(what, async () => ({ state: 'done' }));
    }
  };
  const { entry } = journal;
  const stages = stagesOfUpgrade(versions.map((version) => ({ kubernetes: String(version), changes: [] })));
  const fresh: Operation = {
    apiVersion: 'kopsctl.io/v1',
    kind: 'Upgrade',
    id: 'one',
    startedMs: cluster.nowMs,
    state: 'running',
    stages,
  };
  // Then the real one finds that no upgrade is required.
  if (entry?.state === 'done') return entry;
  const start = isLeft(entry) ? resumedOperation(entry, false) : fresh;
  const patience = { lookAgainMs: 0, nowMs: () => cluster.nowMs, say: () => {} };
  return runOperation(start, { ...patience, journal, take, onStage }, { stop, signal });
}
