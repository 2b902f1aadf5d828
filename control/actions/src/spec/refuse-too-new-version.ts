import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { ParsedObject } from '@kopsctl/spec/parse.ts';
import { refuseTooNew } from '@kopsctl/spec/validate.ts';
import { InvalidSpecError } from './invalid-spec-error.ts';

/**
 * Refuses to make a cluster of a Kubernetes that this program knows nothing about, unless the environment says so, as kops
 * does. A cluster that was made that way can still be looked at and deleted.
 *
 * @throws InvalidSpecError
 */
export function refuseTooNewVersion(
  cluster: Cluster,
  env: Readonly<NodeJS.ProcessEnv>,
  positions: readonly ParsedObject[] = [],
): void {
  if ((env['KOPS_RUN_TOO_NEW_VERSION'] ?? '') !== '') return;
  const faults = refuseTooNew(cluster, positions);
  if (faults.length > 0) throw new InvalidSpecError(`use the spec of ${cluster.metadata.name}`, faults, ['Cluster']);
}
