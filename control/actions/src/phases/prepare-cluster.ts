import { addonRemarks } from '@kopsctl/model/addons/addon-remarks.ts';
import type { RunnableAddons } from '@kopsctl/model/addons/runnable-addons.ts';
import type { Completed } from '@kopsctl/spec/complete.ts';
import { formatFieldError } from '@kopsctl/spec/field-error.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import type { ParsedObject } from '@kopsctl/spec/parse.ts';
import { stateKeyOf } from '@kopsctl/spec/state-key.ts';
import { locateFault } from '@kopsctl/spec/validate.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import { replacedNote } from '@kopsctl/model/assets/replaced.ts';
import type { PublishedAsset } from '@kopsctl/model/assets/published-asset.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { completeAndValidate, InvalidSpecError } from '../spec/complete.ts';
import { refusedByCloud, remarksOn } from '../spec/remarks.ts';
import { formatRemark } from '../spec/remarks-on-files.ts';
import { refuseUnserved } from '../spec/refuse-unserved.ts';
import { refuseTooNewVersion } from '../spec/refuse-too-new-version.ts';
import type { HostSettings } from '@kopsctl/model/cloud.ts';
import { openCloudLayer } from '../cloud/cloud-layer.ts';
import { hostSettings } from '../cloud/host-settings.ts';
import { modelOf } from '../cloud/model-of.ts';
import { tasksOfGroups } from '../cloud/tasks-of-groups.ts';
import { networkFacts } from '../cloud/network-facts.ts';
import { storeWithChanges } from '../store/store-with-changes.ts';
import { personsStateKeys } from '../store/state-keys.ts';
import { type ActionContext, inPhase, note } from './action.ts';
import { refuseUnknownGroups } from '../rolling/choose-machines.ts';
import { checkMachines } from './check-machines.ts';
import { checkReaders } from './check-readers.ts';
import { checkStateKey } from './check-state-key.ts';
import { refuseEtcdChanges } from './refuse-etcd-changes.ts';
import { refuseUnreachedStore } from './refuse-own-server.ts';
import { refuseSeveralSshKeys } from './refuse-several-ssh-keys.ts';
import type { WantedCluster } from './wanted-cluster.ts';

/** A cluster that is ready to be planned, made or written down: its completed spec and the tasks that follow from it. */
export interface PreparedCluster {
  readonly store: StateStore;
  readonly name: string;
  readonly completed: Completed;
  readonly tasks: readonly Task[];
  /** The tasks are those of some groups, and what all share. */
  readonly isPart?: boolean;
  /** Files that machines would download and whose hash nobody knows; only where no connection may be opened. */
  readonly unpinned: readonly PublishedAsset[];
  readonly settings: HostSettings;
}

export interface Preparation {
  readonly store: StateStore;
  readonly wanted: WantedCluster;
  /** The folder of prepared assets, where one was named. */
  readonly assets: string | undefined;
  /** Whether the cloud may be asked what only it knows. */
  readonly asksCloud: boolean;
  /** It is made already, and nothing new is made from the spec: what would be in the way of that does not matter. */
  readonly isMade?: boolean;
  /** Only machines of these roles are made and changed, with what all share; without it all machines. */
  readonly roles?: readonly NodeRole[] | undefined;
  /** Only machines of these groups are made and changed, with what all share. */
  readonly instanceGroups?: readonly string[] | undefined;
  /** Nothing is read from the publishers of what machines download: hashes that are not at hand stay unknown. */
  readonly offline?: boolean;
}

/** Tells what the prepared assets change about the addons. @throws InvalidSpecError where a person asked for one that cannot be made */
function tellAddons(
  context: ActionContext,
  addons: RunnableAddons,
  { cluster, origins }: Completed,
  objects: readonly ParsedObject[],
): void {
  const { faults, notes } = addonRemarks(addons, origins.cluster);
  const errors = faults.map((one) => locateFault(one, cluster, objects));
  if (errors.length > 0) throw new InvalidSpecError(`use the spec of ${cluster.metadata.name}`, errors);
  for (const line of notes) note(context, line);
}

/** Tells which settings have no effect, and which open a machine, each with the line where it stands. */
function tellRemarks(
  context: ActionContext,
  { cluster, instanceGroups, objects }: WantedCluster,
  completed: Completed,
): void {
  for (const { what, fault } of remarksOn(cluster, instanceGroups, completed.cluster)) {
    note(context, formatRemark({ what, field: locateFault(fault, cluster, objects) }));
  }
}

/**
 * Refuses what the cloud would refuse halfway, before anything is made. Where another program makes the
 * resources, it only warns.
 *
 * @throws InvalidSpecError with all of it
 */
function meetRefusals(
  context: ActionContext,
  { cluster, objects }: WantedCluster,
  completed: Completed,
  isMadeHere: boolean,
): void {
  const errors = refusedByCloud(completed).map((one) => locateFault(one, cluster, objects));
  if (errors.length === 0) return;
  if (isMadeHere) throw new InvalidSpecError(`make ${cluster.metadata.name}`, errors);
  for (const one of errors) note(context, `Warning: ${formatFieldError(one)}`);
}

/**
 * Asks the cloud what only it knows and what would fail later: who can read the keys of the cluster, and whether its images
 * and machine types exist and fit each other.
 *
 * @throws ActionableError where strangers could read the keys of the cluster
 * @throws InvalidSpecError with every image and machine type that cannot be used
 */
async function askCloud(
  context: ActionContext,
  { url: storeUrl }: StateStore,
  { objects }: WantedCluster,
  completed: Completed,
  settings: HostSettings,
): Promise<void> {
  const layer = await openCloudLayer({ cluster: completed.cluster, storeUrl, settings, say: () => {} });
  await checkReaders(context, layer);
  await checkMachines(context, layer, completed, objects);
}

/** Gathers the facts of a cluster, completes and checks its spec, and works out its tasks. Changes nothing. */
export async function prepareCluster(
  context: ActionContext,
  { store, wanted, assets, asksCloud, isMade = false, roles, instanceGroups: chosen, offline = false }: Preparation,
): Promise<PreparedCluster> {
  const { name, cluster, instanceGroups, objects } = wanted;
  refuseTooNewVersion(cluster, context.env, objects);
  const settings = hostSettings(context.env, assets);
  const facts = asksCloud
    ? await inPhase(context, 'ask the cloud about its network', () =>
        networkFacts(cluster, store.url, settings, objects),
      )
    : {};
  const completed = await inPhase(context, 'complete and check the spec', () =>
    completeAndValidate(cluster, instanceGroups, store.url, objects, facts),
  );
  refuseUnserved(completed, objects);
  const known = completed.instanceGroups.map(({ metadata }) => metadata.name);
  refuseUnknownGroups(name, { instanceGroups: chosen }, known);
  tellRemarks(context, wanted, completed);
  meetRefusals(context, wanted, completed, asksCloud && !isMade);
  if (!isMade) await refuseEtcdChanges(store, completed, objects, context.signal);
  if (asksCloud && !isMade) {
    refuseUnreachedStore(context, store, completed);
    await refuseSeveralSshKeys(store, completed);
  }
  const checkKey = () => checkStateKey(store, cluster, personsStateKeys(context.env), context.signal);
  await (stateKeyOf(cluster) === undefined ? checkKey() : inPhase(context, 'try the key of the state store', checkKey));
  const { env, signal } = context;
  const madeGroups = chosenGroups(completed, roles, chosen);
  const sources = { store: storeWithChanges(store, wanted.changes), completed, settings, madeGroups, env, signal };
  // The cloud answers while the tasks are worked out: neither needs the other.
  const [asked, worked] = await Promise.allSettled([
    asksCloud && !isMade ? askCloud(context, store, wanted, completed, settings) : undefined,
    inPhase(context, 'work out the tasks', () => modelOf({ ...sources, offline })),
  ]);
  if (asked.status === 'rejected') throw asked.reason;
  if (worked.status === 'rejected') throw worked.reason;
  const modelled = worked.value;
  const { read, unknown, addons, nearestKubernetes, replacedPrograms } = modelled;
  const tasks = madeGroups === undefined ? modelled.tasks : tasksOfGroups(modelled.tasks);
  if (nearestKubernetes !== undefined) {
    const wanted = `Kubernetes ${completed.cluster.spec.kubernetesVersion}`;
    note(
      context,
      `Replaced: ${wanted} by ${nearestKubernetes}, the nearest patch release that the prepared assets hold`,
    );
  }
  for (const one of replacedPrograms) note(context, replacedNote(one));
  if (addons !== undefined) tellAddons(context, addons, completed, objects);
  tellHashes(context, read, 'read where it is published');
  return { store, name, completed, tasks, isPart: madeGroups !== undefined, unpinned: unknown, settings };
}

/** The names of the groups whose machines are made; undefined where all are. */
function chosenGroups(
  { instanceGroups }: Completed,
  roles: readonly NodeRole[] | undefined,
  names: readonly string[] | undefined,
): readonly string[] | undefined {
  if (roles === undefined && names === undefined) return undefined;
  const chosen = instanceGroups.filter((group) => roles?.includes(roleOf(group)) ?? true);
  return chosen.map(({ metadata }) => metadata.name).filter((name) => names?.includes(name) ?? true);
}

/** Reads the hashes that were left unknown, so that a cluster that was prepared offline can be made. */
export async function pinPrepared(
  context: ActionContext,
  { changes }: WantedCluster,
  prepared: PreparedCluster,
): Promise<PreparedCluster> {
  const { store, completed, settings, unpinned } = prepared;
  if (unpinned.length === 0) return prepared;
  const { env, signal } = context;
  const sources = { store: storeWithChanges(store, changes), completed, settings, env, signal };
  const { tasks, read } = await inPhase(context, 'read the hashes of downloads', () =>
    modelOf({ ...sources, offline: false }),
  );
  tellHashes(context, read, 'read where it is published');
  return { ...prepared, tasks, unpinned: [] };
}

/** Names the files that machines would download and whose hash is not known. */
export const tellUnpinned = (context: ActionContext, { unpinned }: PreparedCluster): void =>
  tellHashes(context, unpinned, 'not read yet');

function tellHashes(context: ActionContext, assets: readonly PublishedAsset[], state: string): void {
  for (const asset of assets) note(context, `Not in the table of hashes: ${describe(asset)}; ${state}`);
}

/** The names of some files have their version already, as several versions of them are known. */
const describe = ({ name, version, urls }: PublishedAsset): string =>
  `${name.endsWith(`-${version}`) ? name : `${name} ${version}`} (${urls[0] ?? ''})`;
