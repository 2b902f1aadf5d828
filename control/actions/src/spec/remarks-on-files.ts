import type { FieldError } from '@kopsctl/spec/field-error.ts';
import { formatFieldError } from '@kopsctl/spec/field-error.ts';
import { locateFault } from '@kopsctl/spec/validate.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { ClusterObjects } from '../files/object-files.ts';
import { besideStored } from './check-objects.ts';
import { completeAndValidate, InvalidSpecError } from './complete.ts';
import { type Remark, remarksOn } from './remarks.ts';

/** A remark with its place. */
export interface LocatedRemark {
  readonly what: Remark['what'];
  readonly field: FieldError;
}

/** `Left out: cluster.yaml:12:3: spec.docker: …` */
export const formatRemark = ({ what, field }: LocatedRemark): string => `${what}: ${formatFieldError(field)}`;

/**
 * What a person is told of valid objects in files, each with its place: which settings have no effect, and which open a
 * machine. Only the completed spec shows that, so nothing is said of a cluster of which a part is missing, or which
 * cannot be completed without its cloud; it is told when the cluster is planned.
 */
export async function remarksOnFiles(
  store: StateStore,
  clusters: readonly ClusterObjects[],
): Promise<readonly LocatedRemark[]> {
  return (await Promise.all(clusters.map((one) => remarksOnObjects(store, one)))).flat();
}

async function remarksOnObjects(store: StateStore, given: ClusterObjects): Promise<readonly LocatedRemark[]> {
  const { cluster, groups } = await besideStored(store, given);
  if (cluster === undefined || groups.length === 0) return [];
  try {
    const completed = completeAndValidate(cluster, groups, store.url);
    const remarks = remarksOn(cluster, groups, completed.cluster);
    const located = remarks.map(({ what, fault }) => ({ what, field: locateFault(fault, cluster, given.objects) }));
    // What stands in the store alone was told when it was written.
    return located.filter(({ field }) => field.line !== undefined);
  } catch (error) {
    if (error instanceof InvalidSpecError) return [];
    throw error;
  }
}
