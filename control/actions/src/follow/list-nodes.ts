import { describeMachine, type MachineDescription } from '@kopsctl/machine-facts/describe-machine.ts';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { bootReportPath } from '@kopsctl/node-plan/boot-report.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { OutdatedOverview } from '../outdated/look-for-outdated.ts';
import type { TaskDifference } from '../outdated/plan-difference.ts';
import { describeOutdated, MARKED } from '../outdated/plan-outdated.ts';
import { driftLines, driftOf } from './describe-drift.ts';
import { fetchBootReport, type ReadBootReport, type UnreadableReport } from './read-boot-report.ts';
import { readMachineState, type ReadMachineState } from './read-machine-state.ts';
import { type AddonStatus, listAddons } from './list-addons.ts';
import type { KubernetesApi } from '../access/kubernetes-api.ts';
import type { NodeStatus } from '../access/kubernetes-objects.ts';
import { isReady } from '../validate/plan-validation.ts';
import type { Machine } from '@kopsctl/model/cloud.ts';
import { mayRun } from '@kopsctl/model/machine-state.ts';

/** What is known of one machine, from the cloud, from its Node, from its protokube and from its last boot. */
export interface NodeOverview {
  readonly node: string;
  readonly role: string;
  readonly instanceGroup: string;
  readonly address: string;
  /** `Ready`, `NotReady`, `no Node`; the machine's state while it does not run; `unknown` while the API does not answer. */
  readonly status: string;
  readonly boot: string;
  /** `current`, or what differs from what its group's machines are made from now; empty where that is not known. */
  readonly plan: string;
  /** Hex SHA-256 of the plan that it says it runs. */
  readonly runs?: string;
  /** For an outdated machine, the plan of its group now, and what differs from it, where that is known. */
  readonly wanted?: string;
  readonly differences?: readonly TaskDifference[];
  /** `none`, or how many tasks of its plan it differs from, as its last check found; empty where it says nothing. */
  readonly drift: string;
  readonly discovery: string;
  readonly volumes: string;
  readonly addons: string;
  /** Its hardware and operating system, as its last boot report says. */
  readonly machine: MachineDescription;
  /** What does not work on it, a line each. */
  readonly failures: readonly string[];
}

export interface NodesOverview {
  readonly nodes: readonly NodeOverview[];
  /** Why nothing could be learnt from the API. */
  readonly apiFailure?: string;
}

export interface NodesRequest {
  readonly store: StateStore;
  readonly cluster: string;
  readonly machines: readonly Machine[];
  readonly outdated: Promise<OutdatedOverview | undefined>;
  /** Throws while there is no API to be asked. */
  readonly api: () => Promise<KubernetesApi>;
  readonly signal: AbortSignal;
}

/** All of a cluster's machines; what the API cannot say now is shown as unknown, and the rest is told all the same. */
export async function listNodes({
  store,
  cluster,
  machines,
  outdated,
  api,
  signal,
}: NodesRequest): Promise<NodesOverview> {
  const [compared, told, reports] = await Promise.all([
    outdated,
    askApi(api, signal),
    Promise.all(
      machines.map(async ({ nodeName }) => fetchBootReport(store, bootReportPath(cluster, nodeName), signal)),
    ),
  ]);
  const known = 'nodes' in told ? told : undefined;
  const nodes = machines.map((machine, index) => overview(machine, known, reports[index]?.report, compared));
  return { nodes, ...('failure' in told ? { apiFailure: told.failure } : {}) };
}

interface Told {
  readonly nodes: readonly NodeStatus[];
  readonly addons: readonly AddonStatus[];
}

async function askApi(open: NodesRequest['api'], signal: AbortSignal): Promise<Told | { readonly failure: string }> {
  try {
    const api = await open();
    const [nodes, addons] = await Promise.all([api.nodes(signal), listAddons(api, signal)]);
    return { nodes, addons };
  } catch (error) {
    signal.throwIfAborted();
    return { failure: messageOf(error) };
  }
}

/** One row. Pure. */
export function overview(
  machine: Machine,
  told: Told | undefined,
  read: ReadBootReport | UnreadableReport | undefined,
  compared?: OutdatedOverview,
): NodeOverview {
  const node = told?.nodes.find(({ name }) => name === machine.nodeName);
  const state = node?.state === undefined ? undefined : readMachineState(node.state);
  const report = read === undefined || 'unreadable' in read ? undefined : read;
  const failedTasks = (report?.tasks ?? []).filter(({ result }) => result === 'failed');
  return {
    node: machine.nodeName,
    role: machine.role,
    instanceGroup: machine.instanceGroup,
    address: machine.address,
    status: statusOf(machine, told, node),
    boot: read !== undefined && 'unreadable' in read ? 'report unreadable' : bootOf(report),
    plan: planOf(machine, compared, node),
    ...planDetails(machine, report, compared),
    drift: state === undefined ? '' : driftOf(state),
    discovery: state === undefined ? '' : discoveryOf(state),
    volumes: Object.entries(state?.volumes ?? {})
      .map(([etcd, { isMounted, member }]) => (isMounted ? `${etcd} ${member ?? ''}`.trim() : `${etcd} not mounted`))
      .join(', '),
    addons: state?.isLeader === true ? addonsOf(told?.addons ?? []) : '',
    machine: describeMachine(report?.machine),
    failures: [
      ...(read !== undefined && 'unreadable' in read ? [`its boot report cannot be read: ${read.unreadable}`] : []),
      ...failedTasks.map(
        ({ task, error = 'failed', hint }) => `${task}: ${error}${hint === undefined ? '' : `; ${hint}`}`,
      ),
      ...Object.values(state?.volumes ?? {}).flatMap(({ isMounted, summary }) => (isMounted ? [] : [summary])),
      ...(state?.drift === undefined ? [] : driftLines(state.drift)),
      ...Object.entries(state?.failures ?? {}).map(([part, failure]) => `${part}: ${failure}`),
      ...(state?.isLeader === true ? failedAddons(told?.addons ?? []) : []),
    ],
  };
}

function statusOf(machine: Machine, told: Told | undefined, node: NodeStatus | undefined): string {
  if (!mayRun(machine.state)) return machine.state;
  if (told === undefined) return 'unknown';
  return node === undefined ? 'no Node' : isReady(node) ? 'Ready' : 'NotReady';
}

function planOf({ nodeName }: Machine, compared: OutdatedOverview | undefined, node: NodeStatus | undefined): string {
  const outdated = compared?.outdated.find(({ machine }) => machine.nodeName === nodeName);
  if (outdated !== undefined) return describeOutdated(outdated);
  if (node?.needsUpdate === true) return MARKED;
  return compared === undefined ? '' : 'current';
}

/** Which plan the machine runs, which one it is to run, and what differs, unit by unit. */
function planDetails(
  { nodeName }: Machine,
  report: ReadBootReport | undefined,
  compared: OutdatedOverview | undefined,
): Pick<NodeOverview, 'runs' | 'wanted' | 'differences'> {
  const outdated = compared?.outdated.find(({ machine }) => machine.nodeName === nodeName);
  const { wanted, differences, runs = report?.planHash } = outdated ?? {};
  return {
    ...(runs !== undefined && runs !== '' && { runs }),
    ...(wanted !== undefined && { wanted }),
    ...(differences !== undefined && { differences }),
  };
}

function bootOf(report: ReadBootReport | undefined): string {
  if (report === undefined) return 'no report yet';
  const { result, tasks, startedAt, finishedAt } = report;
  const done = tasks.filter((task) => task.result !== 'running' && task.result !== 'failed').length;
  if (result === 'running') return `running, ${done} tasks done`;
  if (result === 'failed') return `failed, ${tasks.length - done} of ${tasks.length} tasks`;
  const tookMs = finishedAt === undefined ? NaN : Date.parse(finishedAt) - Date.parse(startedAt);
  return `${tasks.length} tasks${Number.isNaN(tookMs) ? '' : ` in ${(tookMs / 1000).toFixed(0)} s`}`;
}

function discoveryOf({ discovery: { by, names, members } }: ReadMachineState): string {
  const counts = [
    ...(members === undefined ? [] : [`${members} members`]),
    ...(by === 'DNS' ? [] : [`${names} names`]),
  ];
  return [by, ...counts].join(', ');
}

function addonsOf(addons: readonly AddonStatus[]): string {
  const failed = addons.filter(({ status }) => status === 'failed').length;
  return `${addons.length - failed} applied${failed === 0 ? '' : `, ${failed} failed`}`;
}

const failedAddons = (addons: readonly AddonStatus[]): readonly string[] =>
  addons.flatMap(({ name, status, failure }) => (status === 'failed' ? [`addon ${name}: ${failure ?? 'failed'}`] : []));
