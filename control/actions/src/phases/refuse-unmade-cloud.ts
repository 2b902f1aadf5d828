import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { canMake } from '../cloud/cloud-layer.ts';

/** @throws ActionableError where nothing drives the cluster's cloud */
export function refuseUnmadeCloud({ metadata, spec }: Cluster): void {
  if (canMake(spec.cloudProvider)) return;
  throw new ActionableError({
    what: `create the cluster ${metadata.name}`,
    why: `kopsctl cannot make clusters of the cloud provider ${spec.cloudProvider ?? '(none)'} yet`,
    next: 'see its objects with `kopsctl create cluster --dry-run -o yaml`; `kopsctl toolbox convert` and `kopsctl toolbox lint` work on files with them',
  });
}
