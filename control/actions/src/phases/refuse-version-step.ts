import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { stepFault } from '@kopsctl/model/upgrade/ladder.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import { bareVersion } from '@kopsctl/spec/names.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { minorOf } from '@kopsctl/spec/minor-version.ts';
import { appliedKubernetes } from '../upgrade/applied-kubernetes.ts';
import { machineVersions } from '../upgrade/machine-versions.ts';
import { type ActionContext, inPhase } from './action.ts';
import type { Convergence } from './converge.ts';
import type { PreparedCluster } from './prepare-cluster.ts';
import type { WantedCluster } from './wanted-cluster.ts';

/**
 * Refuses to apply another minor version of Kubernetes that is not the next one after what was applied last: API servers
 * and kubelets of one cluster would differ by more than Kubernetes supports.
 *
 * @returns whether it is another minor version than the one that was applied last
 * @throws ActionableError
 */
export async function refuseVersionStep(
  store: StateStore,
  { name, cluster }: Pick<WantedCluster, 'name' | 'cluster'>,
  signal: AbortSignal,
): Promise<boolean> {
  const wanted = versionOf(cluster);
  const applied = await appliedKubernetes(store, name, signal);
  if (applied === undefined || minorOf(applied) === minorOf(wanted)) return false;
  const fault = stepFault(applied, wanted);
  if (fault !== undefined) throw refusal(name, fault, wanted);
  return true;
}

/** The same where machines still run a version that is further away than the one that was applied last. */
export async function refuseMachinesBehind(
  context: ActionContext,
  prepared: PreparedCluster,
  convergence: Convergence,
): Promise<void> {
  const { name, completed } = prepared;
  const wanted = versionOf(completed.cluster);
  const machines = await inPhase(context, 'ask which versions machines run', () =>
    machineVersions(context, prepared, convergence),
  );
  for (const { machine, kubernetes } of machines ?? []) {
    const fault = stepFault(kubernetes, wanted);
    if (fault !== undefined) throw refusal(name, `${machine.name} still runs ${kubernetes}: ${fault}`, wanted);
  }
}

const versionOf = ({ spec }: Cluster): string => bareVersion(spec.kubernetesVersion ?? RECOMMENDED_KUBERNETES);

const refusal = (cluster: string, why: string, wanted: string): ActionableError =>
  new ActionableError({
    what: `apply Kubernetes ${wanted} to ${cluster}`,
    why,
    next: `go there minor by minor with \`kopsctl upgrade cluster ${cluster} --kubernetes-version ${wanted}\`, or apply it anyway with --ignore-kubelet-version-skew`,
  });
