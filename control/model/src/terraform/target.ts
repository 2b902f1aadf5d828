import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { TerraformFolder } from './configuration.ts';

/** How clusters of a cloud are rendered for Terraform. */
export interface TerraformTarget {
  /**
   * Whether Terraform can write the files that machines read. If not, they are written to the state store immediately.
   */
  readonly writesFiles: (cluster: Cluster) => boolean;
  /** Pure. References to tasks that are not rendered are kept. */
  readonly render: (cluster: Cluster, tasks: readonly Task[], isWritten: (task: Task) => boolean) => TerraformFolder;
}
