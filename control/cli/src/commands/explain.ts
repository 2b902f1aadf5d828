import { readCluster } from '@kopsctl/apply/cluster-store.ts';
import { completeAndValidate } from '@kopsctl/apply/complete.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { explainPath, type Explained } from '@kopsctl/spec/explain.ts';
import { chooseCluster, openStateStore } from '../open.ts';
import type { GlobalOptions } from '../program.ts';

/** Says of a value of the completed spec whether a person set it or which rule inferred it; of an object, of all in it. */
export async function explain(global: GlobalOptions, kind: string, name: string, path: string): Promise<number> {
  const store = await openStateStore(global);
  const isGroup = /^(instancegroups?|ig)$/.test(kind);
  if (!isGroup && !/^clusters?$/.test(kind)) {
    throw new ActionableError({
      what: `explain ${kind}`,
      why: 'only a cluster or an instance group can be explained',
      next: 'kopsctl explain cluster NAME spec.path, or kopsctl explain instancegroup NAME spec.path --name CLUSTER',
    });
  }
  const cluster = isGroup ? await chooseCluster(global, undefined, store) : name;
  const stored = await readCluster(store, cluster);
  const {
    cluster: completed,
    instanceGroups,
    origins,
  } = completeAndValidate(stored.cluster, stored.instanceGroups, store.url);
  if (!isGroup) {
    show(explainPath('Cluster', path, { written: stored.cluster, completed, origins: origins.cluster }));
    return 0;
  }
  const [written, group] = [stored.instanceGroups, instanceGroups].map((groups) =>
    groups.find(({ metadata }) => metadata.name === name),
  );
  if (group === undefined) {
    throw new ActionableError({
      what: `explain instance group ${name} of ${cluster}`,
      why: 'there is none of that name',
      next: `there are ${instanceGroups.map(({ metadata }) => metadata.name).join(', ') || 'none'}`,
    });
  }
  show(explainPath('InstanceGroup', path, { written, completed: group, origins: origins.instanceGroups[name] ?? {} }));
  return 0;
}

function show(explained: readonly Explained[]): void {
  for (const { path, value, origin } of explained) {
    process.stdout.write(`${path}${value === undefined ? '' : ` = ${JSON.stringify(value)}`}\n  ${origin}\n`);
  }
}
