import type { FleetGroup } from '@kopsctl/model/fleet.ts';
import { bootReportPath } from '@kopsctl/node-plan/boot-report.ts';
import { type NodePlan, planFolderOf } from '@kopsctl/node-plan/node-plan.ts';
import { parsePlan } from '@kopsctl/node-plan/plan-document.ts';
import { planHash, planPath } from '@kopsctl/node-plan/plan-hash.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { fetchBootReport } from '../follow/read-boot-report.ts';
import { readPlan } from '../plans/read-plan.ts';
import { inParallel } from '../store/in-parallel.ts';
import { type KnownPlan, type OutdatedInput, type OutdatedMachine, planOutdated } from './plan-outdated.ts';

export interface FindOutdated {
  readonly store: StateStore;
  readonly cluster: string;
  readonly groups: readonly FleetGroup[];
  /** The cluster's tasks, which hold the plan of each group. */
  readonly tasks: readonly Task[];
  readonly marked: ReadonlySet<string>;
  readonly force: OutdatedInput['force'];
  readonly signal: AbortSignal;
}

/** Finds the machines that are to be replaced, and compares what they run with what they are to run. */
export async function findOutdated(request: FindOutdated): Promise<readonly OutdatedMachine[]> {
  const { groups, tasks, marked, force } = request;
  const wanted = wantedPlans(tasks);
  const found = planOutdated({ groups, running: new Map(), wanted, marked, force });
  // Only for these is it worth reading what they run.
  const running = await runningPlans(request, found);
  return planOutdated({ groups, running, wanted, marked, force });
}

/** The plan of each group's next machine, as the model has made it. */
export function wantedPlans(tasks: readonly Task[]): ReadonlyMap<string, KnownPlan> {
  const plans = tasks.flatMap(({ kind, name, props: { content } }): readonly (readonly [string, KnownPlan])[] => {
    if (kind !== 'ManagedFile' || !name.startsWith('node-plan-') || typeof content !== 'string') return [];
    const bytes = new TextEncoder().encode(content);
    const plan = parsePlan(bytes, name);
    return [[plan.instanceGroup, { hash: planHash(bytes), plan }]];
  });
  return new Map(plans);
}

/** What machines say that they run, by their ids. They may say anything: it is only shown. */
async function runningPlans(
  { store, cluster, signal }: FindOutdated,
  outdated: readonly OutdatedMachine[],
): Promise<ReadonlyMap<string, { readonly hash: string; readonly plan?: NodePlan }>> {
  const plans = new Map<string, Promise<NodePlan | undefined>>();
  const running = new Map<string, { readonly hash: string; readonly plan?: NodePlan }>();
  await inParallel(outdated, async ({ machine: { id, nodeName, role } }) => {
    if (nodeName === '') return;
    const fetched = await fetchBootReport(store, bootReportPath(cluster, nodeName), signal);
    if (fetched === undefined || 'unreadable' in fetched.report) return;
    const { planHash: hash } = fetched.report;
    if (hash === undefined) return;
    const path = planPath(cluster, planFolderOf(role), hash);
    if (!plans.has(path)) plans.set(path, readPlan(store, path, signal));
    const plan = await plans.get(path);
    running.set(id, { hash, ...(plan !== undefined && { plan }) });
  });
  return running;
}
