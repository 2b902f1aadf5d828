import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { stepFault } from '@kopsctl/model/upgrade/ladder.ts';
import { bareVersion } from '@kopsctl/spec/names.ts';
import { appliedVersion } from '../upgrade/applied-version.ts';
import { machineVersions } from '../upgrade/machine-versions.ts';
import { type ActionContext, inPhase } from './action.ts';
import type { Convergence } from './converge.ts';
import type { PreparedCluster } from './prepare-cluster.ts';

/**
 * Refuses to apply another minor version of Kubernetes that is not the next one: API servers and kubelets of one cluster
 * would differ by more than Kubernetes supports. What was applied last counts, and what machines still run.
 *
 * @param convergence where machines can be asked for; without it, only what was applied counts
 * @throws ActionableError
 */
export async function refuseVersionStep(
  context: ActionContext,
  prepared: PreparedCluster,
  convergence: Convergence | undefined,
): Promise<void> {
  const { store, name, completed } = prepared;
  const wanted = bareVersion(completed.cluster.spec.kubernetesVersion ?? '');
  const applied = await appliedVersion(store, name, context.signal);
  if (applied === undefined || minorOf(applied) === minorOf(wanted)) return;
  const fault = stepFault(applied, wanted);
  if (fault !== undefined) throw refusal(name, fault, wanted);
  if (convergence === undefined) return;
  const machines = await inPhase(context, 'ask which versions machines run', () =>
    machineVersions(prepared, convergence, context.signal),
  );
  const behind = machines?.find(({ kubernetes }) => stepFault(kubernetes, wanted) !== undefined);
  if (behind === undefined) return;
  const why = `${behind.machine.name} still runs ${behind.kubernetes}: ${stepFault(behind.kubernetes, wanted) ?? ''}`;
  throw refusal(name, why, wanted);
}

const refusal = (cluster: string, why: string, wanted: string): ActionableError =>
  new ActionableError({
    what: `apply Kubernetes ${wanted} to ${cluster}`,
    why,
    next: `\`kopsctl upgrade cluster ${cluster} --kubernetes-version ${wanted}\` goes there minor by minor; --ignore-kubelet-version-skew applies it nevertheless`,
  });

const minorOf = (version: string): string => version.split('.').slice(0, 2).join('.');
