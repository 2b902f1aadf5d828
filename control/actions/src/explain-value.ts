import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { type Explained, explainPath } from '@kopsctl/spec/explain.ts';
import { explainOfGroup } from '@kopsctl/spec/explain-group.ts';
import { readCluster } from './store/cluster-store.ts';
import { readCreationRecord } from './store/creation-record.ts';
import { completeStored } from './spec/complete.ts';
import type { OwnKind } from './store/object-paths.ts';
import type { ActionContext } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';

export interface ExplainRequest {
  readonly kind: OwnKind;
  readonly name: string;
  readonly path: string;
}

/** Says of a value of the completed spec whether a person set it or which rule inferred it; of an object, of all values in it. */
export async function explainValue(
  context: ActionContext,
  { kind, name, path }: ExplainRequest,
): Promise<readonly Explained[]> {
  const { store, cluster } = await chooseCluster(context, kind === 'Cluster' ? name : undefined);
  const [stored, record] = await Promise.all([readCluster(store, cluster), readCreationRecord(store, cluster)]);
  const completed = completeStored(stored, store.url);
  const { origins, withoutValue } = completed;
  const ofCluster = {
    written: stored.cluster,
    completed: completed.cluster,
    origins: origins.cluster,
    inferred: record.cluster,
    withoutValue: withoutValue.cluster,
  };
  if (kind === 'Cluster') return explainPath(kind, path, ofCluster);
  const [written, group] = [stored, completed].map(({ instanceGroups }) =>
    instanceGroups.find(({ metadata }) => metadata.name === name),
  );
  if (group === undefined) {
    throw new ActionableError({
      what: `explain instance group ${name} of ${cluster}`,
      why: 'not found',
      next: `existing instance groups: ${completed.instanceGroups.map(({ metadata }) => metadata.name).join(', ') || 'none'}`,
    });
  }
  return explainOfGroup(path, {
    cluster: ofCluster,
    group: {
      written,
      completed: group,
      origins: origins.instanceGroups[name] ?? {},
      inferred: record.instanceGroups[name] ?? {},
      withoutValue: withoutValue.instanceGroups[name] ?? {},
    },
  });
}
