import { findCluster, listClusters, readCluster, type StoredCluster } from '@kopsctl/apply/cluster-store.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { ApiVersion } from '@kopsctl/spec/versions/api-version.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { chooseCluster, openStateStore } from '../open.ts';
import { printed } from '../print-objects.ts';
import type { GlobalOptions } from '../program.ts';
import { table } from '../table.ts';

interface GetOptions {
  readonly output: 'table' | 'yaml' | 'json';
  readonly full?: boolean;
  readonly apiVersion?: ApiVersion;
}

/** Prints clusters: those named, else all of the store. */
export async function getClusters(
  global: GlobalOptions,
  names: readonly string[],
  options: GetOptions,
): Promise<number> {
  const store = await openStateStore(global);
  const wanted = names.length > 0 ? names : global.name === undefined ? await listClusters(store) : [global.name];
  const shown = await Promise.all(wanted.map((name) => read(store, name, options)));
  await print(
    shown.map(({ cluster }) => cluster),
    { ...options, single: names.length === 1 },
    clusterTable,
  );
  return 0;
}

/** Prints instance groups of a cluster: those named, else all. */
export async function getInstanceGroups(
  global: GlobalOptions,
  names: readonly string[],
  options: GetOptions,
): Promise<number> {
  const store = await openStateStore(global);
  const cluster = await chooseCluster(global, undefined, store);
  const { instanceGroups } = await read(store, cluster, options);
  const missing = names.filter((name) => !instanceGroups.some(({ metadata }) => metadata.name === name));
  if (missing.length > 0) {
    throw new ActionableError({
      what: `show instance group ${missing.join(', ')} of ${cluster}`,
      why: 'there is none of that name',
      next: `there are ${instanceGroups.map(({ metadata }) => metadata.name).join(', ') || 'none'}`,
    });
  }
  const shown = instanceGroups.filter(({ metadata }) => names.length === 0 || names.includes(metadata.name));
  await print(shown, { ...options, single: names.length === 1 }, groupTable);
  return 0;
}

/** Prints a Cluster and its instance groups. */
export async function getAll(global: GlobalOptions, options: GetOptions): Promise<number> {
  const store = await openStateStore(global);
  const { cluster, instanceGroups } = await read(store, await chooseCluster(global, undefined, store), options);
  await print([cluster, ...instanceGroups], options, () => `${clusterTable([cluster])}\n${groupTable(instanceGroups)}`);
  return 0;
}

async function read(store: StateStore, name: string, { full }: GetOptions): Promise<StoredCluster> {
  const stored = (await findCluster(store, name)) ?? (await readCluster(store, name));
  if (full !== true) return stored;
  const { completeAndValidate } = await import('@kopsctl/apply/complete.ts');
  return completeAndValidate(stored.cluster, stored.instanceGroups, store.url);
}

async function print<T extends Cluster | InstanceGroup>(
  objects: readonly T[],
  { output, apiVersion = 'v1alpha2', single = false }: GetOptions & { readonly single?: boolean },
  asTable: (objects: readonly T[]) => string,
): Promise<void> {
  process.stdout.write(
    output === 'table' ? asTable(objects) : await printed(await inVersion(objects, apiVersion), output, { single }),
  );
}

/** The code of another version is loaded where one is asked for. */
async function inVersion(
  objects: readonly (Cluster | InstanceGroup)[],
  version: ApiVersion,
): Promise<readonly object[]> {
  if (version === 'v1alpha2') return objects;
  const { inApiVersion } = await import('../in-api-version.ts');
  const shown = objects.map((object) => ({ kind: object.kind, name: object.metadata.name, value: { ...object } }));
  return inApiVersion(shown, version);
}

const clusterTable = (clusters: readonly Cluster[]): string =>
  table(
    ['NAME', 'CLOUD', 'VERSION', 'ZONES'],
    clusters.map(({ metadata, spec }) => [
      metadata.name,
      spec.cloudProvider ?? '',
      spec.kubernetesVersion ?? '',
      [...new Set((spec.subnets ?? []).flatMap(({ zone }) => zone ?? []))].join(','),
    ]),
  );

const groupTable = (groups: readonly InstanceGroup[]): string =>
  table(
    ['NAME', 'ROLE', 'MACHINETYPE', 'MIN', 'MAX', 'SUBNETS'],
    groups.map(({ metadata, spec }) => [
      metadata.name,
      spec.role ?? '',
      spec.machineType ?? '',
      String(spec.minSize ?? ''),
      String(spec.maxSize ?? ''),
      (spec.subnets ?? []).join(','),
    ]),
  );
