import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { Machine } from '@kopsctl/model/cloud.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { ApiChoice } from './access/api-choice.ts';
import { accessCluster } from './access/cluster-access.ts';
import { hostSettings } from './cloud/host-settings.ts';
import { openRunningCluster } from './cloud/running-cluster.ts';
import { outdatedOfStored } from './outdated/look-for-outdated.ts';
import { type ActionContext, inPhase, note } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { readCluster } from './store/cluster-store.ts';

/** A machine as kops shows it. */
export interface Instance {
  readonly id: string;
  readonly nodeName: string;
  /** Whether a rolling update would replace it; empty where that cannot be found out. */
  readonly status: 'UpToDate' | 'NeedsUpdate' | '';
  readonly roles: readonly string[];
  readonly state: string;
  readonly internalIP: string;
  readonly externalIP: string;
  readonly instanceGroup: string;
  readonly machineType: string;
}

/** The machines that a cluster has in its cloud, and which of them are outdated. */
export async function getInstances(
  context: ActionContext,
  { choice }: { readonly choice: ApiChoice },
): Promise<readonly Instance[]> {
  const { store, cluster } = await chooseCluster(context, undefined);
  const settings = hostSettings(context.env, undefined);
  const machines = await inPhase(context, 'ask the cloud for machines', async () =>
    (await openRunningCluster(store, cluster, settings)).machines(),
  );
  const { instanceGroups } = await readCluster(store, cluster);
  const types = new Map(instanceGroups.map(({ metadata, spec }) => [metadata.name, spec.machineType ?? '']));
  const [overview, nodes] = await Promise.all([
    inPhase(context, 'compare machines with their plans', () => outdatedOfStored(context, store, cluster)),
    nodeNames(context, store, cluster, choice),
  ]);
  const outdated = overview && new Set(overview.outdated.map(({ machine }) => machine.name));
  return machines.map((machine) => ({
    id: machine.name,
    nodeName: nodes === undefined || nodes.has(machine.nodeName) ? machine.nodeName : '',
    status: statusOf(machine, outdated),
    roles: [machine.role],
    state: machine.state,
    internalIP: machine.address,
    externalIP: machine.externalAddress ?? '',
    instanceGroup: machine.instanceGroup,
    machineType: machine.machineType ?? types.get(machine.instanceGroup) ?? '',
  }));
}

function statusOf({ name }: Machine, outdated: ReadonlySet<string> | undefined): Instance['status'] {
  if (outdated === undefined) return '';
  return outdated.has(name) ? 'NeedsUpdate' : 'UpToDate';
}

/** The Nodes that there are, if a person says which server to ask; otherwise the cloud's word is taken for them. */
async function nodeNames(
  context: ActionContext,
  store: StateStore,
  cluster: string,
  choice: ApiChoice,
): Promise<ReadonlySet<string> | undefined> {
  if (choice.apiServer === undefined && choice.usesKubeconfig !== true) return undefined;
  const { env, signal } = context;
  try {
    const { api } = await accessCluster(store, cluster, hostSettings(env, undefined), { choice, env, signal });
    return new Set((await api.nodes(signal)).map(({ name }) => name));
  } catch (error) {
    signal.throwIfAborted();
    note(context, `Note: the Nodes could not be listed: ${messageOf(error)}`);
    return undefined;
  }
}
