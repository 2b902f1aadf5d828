import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { applyCluster } from '../apply-cluster.ts';
import type { ActionContext } from '../phases/action.ts';
import { isMade } from '../phases/make-cluster.ts';
import { rollCluster, type RollManner } from '../roll-cluster.ts';
import type { Roll } from '../rolling/roll.ts';
import { setObjectFields } from '../spec/set-object-fields.ts';
import type { Stage } from './operation.ts';
import type { StageOutcome } from './run-operation.ts';

/** Everything that runs an API server. */
const CONTROL_PLANES: readonly NodeRole[] = ['ControlPlane', 'APIServer'];

/** A control plane that was made just now serves its API within minutes (kops waits as long, in reconcile_cluster.go). */
const API_WAIT_MS = 10 * 60_000;

export interface StageEnv {
  readonly store: StateStore;
  readonly cluster: string;
  readonly manner: RollManner;
  readonly allowsDowngrade: boolean;
}

/** Does all that a stage of an upgrade or a reconciliation is for. What was done before is done again without harm. */
export async function takeStage(
  context: ActionContext,
  { what, changes }: Stage,
  { store, cluster, manner, allowsDowngrade }: StageEnv,
): Promise<StageOutcome> {
  const { assets } = manner;
  const update = async (prune: boolean, roles?: readonly NodeRole[]): Promise<StageOutcome> => {
    const what = { cluster, scope: { prune }, assets, roles, allowsDowngrade };
    const { result } = await applyCluster(context, { ...what, isStage: true });
    return outcomeOfRun(result);
  };
  const roll = async (roles?: readonly NodeRole[]): Promise<StageOutcome> => {
    const stage = { cluster, yes: true, isStage: true, apiWaitMs: API_WAIT_MS, roles, appliedRoles: roles };
    return outcomeOfRoll((await rollCluster(context, { ...manner, ...stage })).roll);
  };
  switch (what) {
    case 'set-spec':
      for (const { kind, name, set } of changes) {
        await setObjectFields(store, { cluster, kind, name }, { set, unset: [] });
      }
      return { state: 'done' };
    case 'update-control-planes':
      return update(false, CONTROL_PLANES);
    case 'roll-control-planes':
      return roll(CONTROL_PLANES);
    case 'update':
      return update(false);
    case 'roll':
      return roll();
    case 'prune':
      return update(true);
  }
}

function outcomeOfRun(result: RunResult): StageOutcome {
  if (isMade(result)) return { state: 'done' };
  if (result.cancelled) return { state: 'stopped', why: 'a person stopped it while changes were made' };
  const failed = [...result.tasks, ...result.deletions].find((one) => one.result === 'failed');
  return { state: 'failed', why: `${failed?.id ?? 'a task'}: ${failed?.error ?? 'it failed'}` };
}

function outcomeOfRoll(roll: Roll | undefined): StageOutcome {
  if (roll === undefined || roll.state === 'done') return { state: 'done' };
  const failed = roll.turns.find(({ step }) => step === 'failed');
  const why =
    failed === undefined
      ? (roll.blocked?.why ?? `the rolling update is ${roll.state}`)
      : `${failed.name}: ${failed.failure ?? 'it failed'}`;
  return { state: roll.state === 'rolling' ? 'stopped' : roll.state, why };
}
