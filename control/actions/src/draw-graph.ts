import type { PictureGraph } from './graph/graph.ts';
import { taskGraph } from './graph/task-graph.ts';
import { topologyGraph } from './graph/topology-graph.ts';
import { wantedPlans } from './outdated/find-outdated.ts';
import { planOfGroup } from './outdated/plan-of-group.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { prepareQuietly } from './phases/prepare-quietly.ts';
import { storedCluster } from './phases/wanted-cluster.ts';

/** What is drawn: the cluster, what making it does in which order, or the same of the machines of one instance group. */
export type Drawn =
  | { readonly kind: 'topology' }
  | { readonly kind: 'tasks' }
  | { readonly kind: 'node'; readonly group: string };

/** Draws a stored cluster as it would be made now. The cloud is not asked, and nothing is changed. */
export async function drawGraph(
  context: ActionContext,
  { cluster: argument, drawn }: { readonly cluster?: string | undefined; readonly drawn: Drawn },
): Promise<PictureGraph> {
  const { store, cluster } = await chooseCluster(context, argument);
  const { completed, tasks } = await prepareQuietly(context, store, await storedCluster(store, cluster));
  return inPhase(context, 'draw the graph', () => {
    switch (drawn.kind) {
      case 'topology':
        return topologyGraph(completed);
      case 'tasks':
        return taskGraph(`Tasks of ${cluster}`, tasks);
      case 'node':
        return taskGraph(
          `Tasks of machines of ${drawn.group}`,
          planOfGroup(wantedPlans(tasks), drawn.group, 'draw the tasks of machines').plan.tasks,
        );
    }
  });
}
