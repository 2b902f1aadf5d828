import type { FleetGroup, FleetMachine } from '@kopsctl/model/fleet.ts';
import semver from 'semver';
import { findOutdated } from '../outdated/find-outdated.ts';
import type { ActionContext } from '../phases/action.ts';
import type { Convergence } from '../phases/converge.ts';
import { openFleet } from '../phases/open-fleet.ts';
import type { PreparedCluster } from '../phases/prepare-cluster.ts';

/** A machine, and the version of Kubernetes that it says it runs. */
export interface MachineVersion {
  readonly machine: FleetMachine;
  readonly kubernetes: string;
}

/**
 * What the machines of a cluster run, as far as they have told. Undefined where the cloud has none that could be replaced.
 * Bastions run no Kubernetes.
 */
export async function machineVersions(
  context: Pick<ActionContext, 'signal' | 'onEvent'>,
  prepared: PreparedCluster,
  convergence: Convergence,
): Promise<readonly MachineVersion[] | undefined> {
  const opened = await openFleet(context, prepared, convergence);
  const { signal } = context;
  return opened && versionsIn(prepared, await opened.fleet.groups(signal), signal);
}

/**
 * The oldest version of Kubernetes that an API server of the cluster is said to run. Undefined where one of them has not told,
 * and where there is none.
 */
export async function oldestApiServer(
  context: Pick<ActionContext, 'signal' | 'onEvent'>,
  prepared: PreparedCluster,
  convergence: Convergence,
): Promise<string | undefined> {
  const { signal } = context;
  const opened = await openFleet(context, prepared, convergence);
  const groups = (await opened?.fleet.groups(signal)) ?? [];
  const servers = groups.filter(({ role }) => role === 'ControlPlane' || role === 'APIServer');
  const versions = await versionsIn(prepared, servers, signal);
  if (versions.length < servers.flatMap(({ machines }) => machines).length) return undefined;
  return versions.map(({ kubernetes }) => kubernetes).toSorted(semver.compare)[0];
}

/** What the machines of some groups run, as far as they have told. */
export async function versionsIn(
  { store, name: cluster, tasks }: Pick<PreparedCluster, 'store' | 'name' | 'tasks'>,
  groups: readonly FleetGroup[],
  signal: AbortSignal,
): Promise<readonly MachineVersion[]> {
  const all = await findOutdated({ store, cluster, groups, tasks, marked: new Set(), force: true, signal });
  return all.flatMap(({ machine, runsKubernetes }) =>
    runsKubernetes === undefined || machine.role === 'Bastion' ? [] : [{ machine, kubernetes: runsKubernetes }],
  );
}
