import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { awsCluster } from './cloud/aws/aws-cluster.ts';
import { localCluster } from './cloud/local/local-cluster.ts';
import type { ModelInput } from './model-input.ts';

export type { ModelInput } from './model-input.ts';

/** Clouds, and what builds a cluster in each. */
const CLOUDS: Readonly<Record<string, (input: ModelInput) => readonly Task[]>> = {
  aws: awsCluster,
  local: localCluster,
};

/**
 * A completed cluster as tasks: what lies in the state store, and the cloud's things. Deterministic: equal input
 * gives equal tasks in equal order.
 */
export function buildModel(input: ModelInput): readonly Task[] {
  const { spec, metadata } = input.cluster;
  const build = CLOUDS[spec.cloudProvider ?? ''];
  if (build !== undefined) return build(input);
  throw new ActionableError({
    what: `compute the cluster ${metadata.name}`,
    why: `cloud provider ${spec.cloudProvider ?? '(none)'} is not supported`,
    next: `set spec.cloudProvider to one of ${Object.keys(CLOUDS).join(', ')}`,
  });
}
