import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { completeCluster, type Completed } from '@kopsctl/spec/complete.ts';
import { formatFieldError, type FieldError } from '@kopsctl/spec/field-error.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { ParsedObject } from '@kopsctl/spec/parse.ts';
import { validateCluster } from '@kopsctl/spec/validate.ts';

/** A spec that a person has to mend. The command exits with 3. */
export class InvalidSpecError extends ActionableError {
  override readonly name = 'InvalidSpecError';
  readonly errors: readonly FieldError[];
  constructor(what: string, errors: readonly FieldError[]) {
    super({
      what,
      why: `${errors.length === 1 ? 'one thing is' : `${errors.length} things are`} wrong\n${errors.map((error) => `  ${formatFieldError(error)}`).join('\n')}`,
      next: 'mend these and repeat the command; `kopsctl toolbox schema Cluster` lists every field',
    });
    this.errors = errors;
  }
}

/** Checks the user's objects, infers what they leave open, and checks the outcome. Faults of parsed objects say file and line. */
export function completeAndValidate(
  cluster: Cluster,
  instanceGroups: readonly InstanceGroup[],
  stateStoreUrl: string,
  positions: readonly ParsedObject[] = [],
): Completed {
  const name = cluster.metadata.name;
  const before = validateCluster(cluster, instanceGroups, positions);
  if (before.length > 0) throw new InvalidSpecError(`use the spec of ${name}`, before);
  const completed = completeCluster({ cluster, instanceGroups }, { stateStoreUrl });
  const after = validateCluster(completed.cluster, completed.instanceGroups);
  if (after.length > 0) throw new InvalidSpecError(`complete the spec of ${name}`, after);
  return completed;
}
