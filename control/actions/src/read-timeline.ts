import { bootReportPath } from '@kopsctl/node-plan/boot-report.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { hostSettings } from './cloud/host-settings.ts';
import { openRunningCluster } from './cloud/running-cluster.ts';
import { ANSWER_LIMIT_MS } from './diagnosis/gather-evidence.ts';
import { printable } from './follow/printable.ts';
import { fetchBootReport } from './follow/read-boot-report.ts';
import { readPlanByHash } from './plans/read-plan.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { within } from './phases/within.ts';
import { inParallel } from './store/in-parallel.ts';
import { type BootMemory, bootMemory, type ReadBoot } from './timeline/boot-memory.ts';
import { chooseReports, type StoredReport, type WantedBoots } from './timeline/choose-reports.ts';
import { type MachineTimeline, machineTimeline } from './timeline/machine-timeline.ts';

export interface TimelineRequest {
  readonly cluster?: string | undefined;
  /** This machine alone, also if it is gone. */
  readonly node?: string | undefined;
  /** Also machines that are gone. */
  readonly allMachines?: boolean | undefined;
  /** What was read before, where the same is asked again and again. */
  readonly memory?: BootMemory;
}

export interface ReadTimeline {
  readonly cluster: string;
  /** In the order in which they booted; those of which that is not known are last. */
  readonly machines: readonly MachineTimeline[];
  /** Machines whose reports cannot be read, with the reason. */
  readonly unreadable: readonly { readonly node: string; readonly reason: string }[];
  /** How many reports were left out: of machines that are gone or, where the cloud did not say which are, the oldest. */
  readonly notShown: number;
  /** Why the cloud could not be asked which machines there are. */
  readonly cloudFailure?: string;
}

/**
 * How the machines of a cluster booted last, task by task, from the reports that they left in the state store. The reports
 * of machines that their cloud replaces are kept for long, so the cloud says whose are shown.
 */
export async function readTimeline(context: ActionContext, request: TimelineRequest): Promise<ReadTimeline> {
  const { store, cluster } = await chooseCluster(context, request.cluster);
  const { memory = bootMemory() } = request;
  return inPhase(context, 'read the boot reports', async () => {
    const reports = await storedReports(store, cluster, context.signal);
    if (reports.length === 0) throw noReports(store, cluster, request.node, reports);
    const { wanted, cloudFailure } = await wantedBoots(context, store, cluster, request);
    const { shown, left } = chooseReports(reports, wanted);
    // Nothing is remembered of machines that are gone.
    memory.keep(
      nodesFolder(cluster),
      shown.map(({ entry }) => entry),
    );
    if (shown.length === 0) throw noReports(store, cluster, request.node, reports);
    const machines: MachineTimeline[] = [];
    const unreadable: { readonly node: string; readonly reason: string }[] = [];
    await inParallel(shown, async ({ node, entry }) => {
      const boot = await memory.recall(entry, () => readBoot(store, cluster, node, context.signal));
      if (boot === undefined) return;
      if ('unreadable' in boot) unreadable.push({ node, reason: boot.unreadable });
      else machines.push(boot);
    });
    return {
      cluster,
      machines: machines.toSorted(byStart),
      unreadable: unreadable.toSorted((left, right) => (left.node < right.node ? -1 : 1)),
      notShown: left,
      ...(cloudFailure !== undefined && { cloudFailure }),
    };
  });
}

const byStart = (
  { startMs: left = Infinity }: MachineTimeline,
  { startMs: right = Infinity }: MachineTimeline,
): number => (left === right ? 0 : left - right);

const nodesFolder = (cluster: string): string => `${cluster}/nodes`;

async function storedReports(
  store: StateStore,
  cluster: string,
  signal: AbortSignal,
): Promise<readonly StoredReport[]> {
  const entries = await store.list(nodesFolder(cluster), signal);
  return entries.flatMap((entry) => {
    const node = entry.path.slice(`${nodesFolder(cluster)}/`.length, -'/boot-report.json'.length);
    return entry.path === bootReportPath(cluster, node) ? [{ node, entry }] : [];
  });
}

/** Asks the cloud only if that matters; if it cannot be asked, the reports are shown all the same. */
async function wantedBoots(
  context: ActionContext,
  store: StateStore,
  cluster: string,
  { node, allMachines }: TimelineRequest,
): Promise<{ readonly wanted: WantedBoots; readonly cloudFailure?: string }> {
  if (node !== undefined) return { wanted: { kind: 'node', node } };
  if (allMachines === true) return { wanted: { kind: 'all' } };
  try {
    const machines = await within(ANSWER_LIMIT_MS, 'ask the cloud for machines', context.signal, async () => {
      const running = await openRunningCluster(store, cluster, hostSettings(context.env, undefined));
      return running.machines();
    });
    return { wanted: { kind: 'existing', machines: new Set(machines.map(({ nodeName }) => nodeName)) } };
  } catch (error) {
    context.signal.throwIfAborted();
    return { wanted: { kind: 'newest' }, cloudFailure: printable(messageOf(error)) };
  }
}

async function readBoot(store: StateStore, cluster: string, node: string, signal: AbortSignal): Promise<ReadBoot> {
  const fetched = await fetchBootReport(store, bootReportPath(cluster, node), signal);
  if (fetched === undefined) return undefined;
  const { report, version } = fetched;
  const isWhole = version !== undefined;
  if ('unreadable' in report) return { boot: report, isWhole };
  const { planHash: hash } = report;
  const plan = hash === undefined ? undefined : await readPlanByHash(store, cluster, hash, signal);
  return { boot: machineTimeline(node, report, plan), isWhole };
}

/** Why there is nothing to show: there are no reports, none of that machine, or none of machines that are still there. */
function noReports(
  store: StateStore,
  cluster: string,
  node: string | undefined,
  reports: readonly StoredReport[],
): Error {
  const what = `show how ${node ?? 'the machines'} of ${cluster} booted`;
  const named = reports.map((report) => report.node).join(', ');
  if (reports.length === 0) {
    return new ActionableError({
      what,
      why: `${store.url} holds no boot report of the cluster`,
      next: `check that its machines run: \`kopsctl validate cluster ${cluster}\``,
    });
  }
  if (node !== undefined) {
    return new ActionableError({ what, why: `there are boot reports of ${named}`, next: 'name one of these' });
  }
  return new ActionableError({
    what,
    why: `the boot reports are of machines that the cloud no longer has: ${named}`,
    next: `see them with \`kopsctl timeline ${cluster} --all-machines\``,
  });
}
