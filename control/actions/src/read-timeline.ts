import { bootReportPath } from '@kopsctl/node-plan/boot-report.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { fetchBootReport } from './follow/read-boot-report.ts';
import { readPlanByHash } from './plans/read-plan.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { inParallel } from './store/in-parallel.ts';
import { type MachineTimeline, machineTimeline } from './timeline/machine-timeline.ts';

export interface ReadTimeline {
  readonly cluster: string;
  /** In the order in which they booted. */
  readonly machines: readonly MachineTimeline[];
  /** Machines whose reports cannot be read, with the reason. */
  readonly unreadable: readonly { readonly node: string; readonly reason: string }[];
}

/** How the machines of a cluster booted last, task by task, from the reports that they left in the state store. */
export async function readTimeline(
  context: ActionContext,
  { cluster: argument, node }: { readonly cluster?: string | undefined; readonly node?: string | undefined },
): Promise<ReadTimeline> {
  const { store, cluster } = await chooseCluster(context, argument);
  return inPhase(context, 'read the boot reports', async () => {
    const nodes = await nodesWithReports(store, cluster);
    const chosen = node === undefined ? nodes : nodes.filter((one) => one === node);
    if (chosen.length === 0) throw noReports(store, cluster, node, nodes);
    const machines: MachineTimeline[] = [];
    const unreadable: { readonly node: string; readonly reason: string }[] = [];
    await inParallel(chosen, async (name) => {
      const fetched = await fetchBootReport(store, bootReportPath(cluster, name), context.signal);
      if (fetched === undefined) return;
      const { report } = fetched;
      if ('unreadable' in report) {
        unreadable.push({ node: name, reason: report.unreadable });
        return;
      }
      const { planHash: hash } = report;
      const plan = hash === undefined ? undefined : await readPlanByHash(store, cluster, hash, context.signal);
      machines.push(machineTimeline(name, report, plan));
    });
    return {
      cluster,
      machines: machines.toSorted((left, right) => left.startMs - right.startMs),
      unreadable: unreadable.toSorted((left, right) => (left.node < right.node ? -1 : 1)),
    };
  });
}

async function nodesWithReports(store: StateStore, cluster: string): Promise<readonly string[]> {
  const entries = await store.list(`${cluster}/nodes`);
  return entries.flatMap(({ path }) => {
    const node = path.slice(`${cluster}/nodes/`.length, -'/boot-report.json'.length);
    return path === bootReportPath(cluster, node) ? [node] : [];
  });
}

function noReports(store: StateStore, cluster: string, node: string | undefined, nodes: readonly string[]): Error {
  return new ActionableError({
    what: `show how ${node ?? 'the machines'} of ${cluster} booted`,
    why:
      nodes.length === 0
        ? `${store.url} holds no boot report of the cluster`
        : `there are boot reports of ${nodes.join(', ')}`,
    next:
      nodes.length === 0 ? `check that its machines run: \`kopsctl validate cluster ${cluster}\`` : 'name one of these',
  });
}
