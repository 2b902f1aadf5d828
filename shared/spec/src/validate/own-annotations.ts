import type { Cluster } from '../cluster.ts';
import { WORKER_PLAN_WAYS, WORKER_PLANS_ANNOTATION } from '../own-annotations.ts';
import { joinPath } from '../read-value.ts';
import { fault, type Fault } from './fault.ts';

/** A misspelt setting would be ignored, and one that bars workers from the bucket must not be. */
export function* validateOwnAnnotations({ metadata: { annotations = {} } }: Cluster): Iterable<Fault> {
  for (const [name, value] of Object.entries(annotations)) {
    if (!name.startsWith('kopsctl.io/')) continue;
    const path = joinPath('metadata.annotations', name);
    if (name !== WORKER_PLANS_ANNOTATION) {
      yield fault(path, 'there is no such setting', `there is ${WORKER_PLANS_ANNOTATION}`);
    } else if (!WORKER_PLAN_WAYS.some((way) => way === value)) {
      yield fault(path, `'${value}' is no way to get a plan`, `write ${WORKER_PLAN_WAYS.join(' or ')}`);
    }
  }
}
