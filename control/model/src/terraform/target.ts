import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { TerraformFolder } from './configuration.ts';

/** How a cloud's clusters are written down for Terraform. */
export interface TerraformTarget {
  /** Whether the files that machines read lie where Terraform can write them; if not, they go to the state store at once. */
  readonly writesFiles: (cluster: Cluster) => boolean;
  /** Pure. References to tasks that are not written are kept. */
  readonly render: (cluster: Cluster, tasks: readonly Task[], isWritten: (task: Task) => boolean) => TerraformFolder;
}
