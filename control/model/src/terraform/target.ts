import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { TerraformFolder } from './configuration.ts';

/** How clusters of a cloud are rendered for Terraform. */
export interface TerraformTarget {
  /**
   * Whether Terraform can write a file that machines read. If not, it is written to the state store immediately.
   *
   * @param path below the cluster's folder
   */
  readonly writesFile: (cluster: Cluster, path: string) => boolean;
  /** Pure. References to tasks that are not rendered are kept. */
  readonly render: (cluster: Cluster, tasks: readonly Task[], isWritten: (task: Task) => boolean) => TerraformFolder;
}
