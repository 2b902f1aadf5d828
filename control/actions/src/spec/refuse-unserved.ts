import type { Completed } from '@kopsctl/spec/complete.ts';
import type { ParsedObject } from '@kopsctl/spec/parse.ts';
import { locateFault } from '@kopsctl/spec/validate.ts';
import { etcdOnControlPlanes } from '@kopsctl/spec/validate/etcd-on-control-planes.ts';
import { InvalidSpecError } from './invalid-spec-error.ts';

/** @throws InvalidSpecError where a control plane would be made that never serves */
export function refuseUnserved({ cluster, instanceGroups }: Completed, positions: readonly ParsedObject[] = []): void {
  const faults = [...etcdOnControlPlanes(cluster, instanceGroups)];
  if (faults.length === 0) return;
  throw new InvalidSpecError(
    `use the spec of ${cluster.metadata.name}`,
    faults.map((fault) => locateFault(fault, cluster, positions)),
  );
}
