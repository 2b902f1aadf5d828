import { findCluster, listClusters, readCluster } from '@kopsctl/apply/cluster-store.ts';
import { completeAndValidate } from '@kopsctl/apply/complete.ts';
import { describeLocal, openLocal } from '@kopsctl/apply/local-cluster.ts';
import { localSettings } from '@kopsctl/apply/local-settings.ts';
import { printObject } from '@kopsctl/spec/print.ts';
import { chooseCluster, openStateStore } from '../open.ts';
import type { GlobalOptions } from '../program.ts';
import { table } from '../table.ts';

interface GetOptions {
  readonly output: 'table' | 'yaml' | 'json';
  readonly full?: boolean;
}

type Kind = 'clusters' | 'instancegroups' | 'all' | 'machines';

/** Prints clusters, instance groups, both, or machines. */
export async function getObjects(global: GlobalOptions, kind: Kind, options: GetOptions): Promise<number> {
  const store = await openStateStore(global);
  if (kind === 'machines') return getMachines(await chooseCluster(global, undefined, store), options);
  const names =
    kind === 'clusters' && global.name === undefined
      ? await listClusters(store)
      : [await chooseCluster(global, undefined, store)];
  const stored = await Promise.all(
    names.map(async (name) => (await findCluster(store, name)) ?? (await readCluster(store, name))),
  );
  const shown = stored.map((one) =>
    options.full === true ? completeAndValidate(one.cluster, one.instanceGroups, store.url) : one,
  );
  const objects: readonly object[] = shown.flatMap((one) => [
    ...(kind === 'instancegroups' ? [] : [one.cluster]),
    ...(kind === 'clusters' ? [] : one.instanceGroups),
  ]);
  if (options.output === 'json') process.stdout.write(`${JSON.stringify(objects, null, 2)}\n`);
  else if (options.output === 'yaml') process.stdout.write(objects.map((object) => printObject(object)).join('---\n'));
  else {
    if (kind !== 'instancegroups') {
      process.stdout.write(
        table(
          ['NAME', 'CLOUD', 'VERSION'],
          shown.map(({ cluster }) => [
            cluster.metadata.name,
            cluster.spec.cloudProvider ?? '',
            cluster.spec.kubernetesVersion ?? '',
          ]),
        ),
      );
    }
    if (kind !== 'clusters') {
      process.stdout.write(
        table(
          ['NAME', 'ROLE', 'MACHINETYPE', 'MIN', 'MAX'],
          shown.flatMap(({ instanceGroups }) =>
            instanceGroups.map(({ metadata, spec }) => [
              metadata.name,
              spec.role ?? '',
              spec.machineType ?? '',
              String(spec.minSize ?? ''),
              String(spec.maxSize ?? ''),
            ]),
          ),
        ),
      );
    }
  }
  return 0;
}

async function getMachines(cluster: string, options: GetOptions): Promise<number> {
  const { machines } = await describeLocal(openLocal(cluster, localSettings(process.env, undefined)));
  if (options.output === 'json') process.stdout.write(`${JSON.stringify(machines, null, 2)}\n`);
  else if (options.output === 'yaml')
    process.stdout.write(machines.map((machine) => printObject(machine)).join('---\n'));
  else {
    process.stdout.write(
      table(
        ['NAME', 'NODE', 'ROLE', 'GROUP', 'ADDRESS', 'STATE'],
        machines.map((machine) => [
          machine.name,
          machine.nodeName,
          machine.role,
          machine.instanceGroup,
          machine.address,
          machine.state,
        ]),
      ),
    );
  }
  return 0;
}
