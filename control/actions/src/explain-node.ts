import { accessCluster } from './access/cluster-access.ts';
import { driverOf } from './cloud/cloud-layer.ts';
import { hostSettings } from './cloud/host-settings.ts';
import { completedCluster, runningCluster } from './cloud/running-cluster.ts';
import { diagnose, diagnoseGroup } from './diagnosis/diagnose.ts';
import { type Finding, isKnown, type NodeEvidence } from './diagnosis/evidence.ts';
import { ANSWER_LIMIT_MS, gatherEvidence } from './diagnosis/gather-evidence.ts';
import { unwellFindings, unwellMachines } from './diagnosis/unwell-machines.ts';
import { groupNotAsked, isUnknown, unknownNode, unknownToStore } from './diagnosis/unknown-node.ts';
import { listNames } from './list-names.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { within } from './phases/within.ts';
import { type GroupSize, groupSize } from './validate/group-size.ts';

export interface ExplainedNode {
  readonly evidence: NodeEvidence;
  /** The size of the instance group whose name was given instead of a node's. */
  readonly group?: GroupSize;
  /** Why it is not as it should be, the likeliest cause first; empty if nothing is wrong. */
  readonly findings: readonly Finding[];
}

/**
 * Says why a node is not Ready, from what its cloud, its boot report, the API and its own logs say; of an instance group, why it
 * lacks machines, and which of them are not well. Changes nothing.
 */
export async function explainNode(context: ActionContext, node: string): Promise<ExplainedNode> {
  const { store, cluster } = await chooseCluster(context, undefined);
  const settings = hostSettings(context.env, undefined);
  const completed = await completedCluster(store, cluster);
  const running = await runningCluster(completed, store, settings);
  const hosts = await driverOf(completed.cluster).hostMachines?.({ cluster, storeUrl: store.url }, settings);
  const evidence = await inPhase(context, 'gather what is known about the node', () =>
    gatherEvidence({ store, cluster, node, running, hosts, settings, signal: context.signal }),
  );
  if (isUnknown(evidence)) {
    const { machine } = evidence;
    const named = completed.instanceGroups.find(({ metadata }) => metadata.name === node);
    if (machine !== undefined && !isKnown(machine)) {
      if (named !== undefined) throw groupNotAsked(node, machine);
      const names = await listNames({ ...context, name: cluster }, 'nodes', context.signal);
      throw unknownToStore(node, machine, names);
    }
    if (named === undefined) {
      const names = (await running.machines()).map(({ nodeName }) => nodeName).filter((name) => name !== '');
      throw unknownNode(node, cluster, names);
    }
    const machines = await inPhase(context, 'ask the cloud about the group', () =>
      within(ANSWER_LIMIT_MS, `ask the cloud about ${node}`, context.signal, (signal) =>
        running.runningMachines(signal),
      ),
    );
    const { minSize = 0, manager } = named.spec;
    const group = groupSize({ name: node, minSize, manager }, machines);
    const unwell = isKnown(evidence.objects)
      ? await inPhase(context, 'ask the API about the group', async () => {
          const access = await accessCluster(store, cluster, settings, { signal: context.signal });
          return unwellMachines(node, machines, access, context.signal);
        })
      : evidence.objects;
    return { evidence, group, findings: [...diagnoseGroup(node, group), ...unwellFindings(node, unwell)] };
  }
  return { evidence, findings: diagnose(evidence) };
}
