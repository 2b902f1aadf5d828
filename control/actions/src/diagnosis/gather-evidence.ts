import { posix } from 'node:path';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import type { HostMachines, HostSettings, RunningCluster } from '@kopsctl/model/cloud.ts';
import { enrolmentPath, parseEnrolment } from '@kopsctl/node-identity/enrolment.ts';
import { bootReportPath } from '@kopsctl/node-plan/boot-report.ts';
import { machineReportPath } from '@kopsctl/node-plan/machine-report.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { accessCluster } from '../access/cluster-access.ts';
import { readNode } from '../access/kubernetes-objects.ts';
import { NODE_LEASES, readNodeLease } from '../access/node-lease.ts';
import { printable, printableLines } from '../follow/printable.ts';
import { fetchBootReport } from '../follow/read-boot-report.ts';
import { fetchMachineReport } from '../follow/read-machine-report.ts';
import { isReady } from '../validate/plan-validation.ts';
import { within } from '../phases/within.ts';
import { clockAheadMs } from './clock.ts';
import { journalOf } from './journal.ts';
import { isKnown, type NodeEvidence, type NodeObjects, type NotKnown } from './evidence.ts';

/** A source that does not answer by then is not waited for: the others say enough. */
export const ANSWER_LIMIT_MS = 15_000;
/** How many lines of a log are taken: what explains the present state is near its end. */
const MAX_LOG_LINES = 400;

/**
 * Lines that explain no failure: what programs of Kubernetes, containerd and etcd only inform about (probes fail whenever a pod
 * starts, containerd skips plugins whose programs are not there), and what nodeup could do without.
 */
const INFORMS =
  /\]: (?:I\d{4} \d\d:\d\d:\d\d\.\d+ |nodeup: task warned |time="[^"]*" level=(?:debug|info) |\{"level":"(?:debug|info)")/;

export interface Gathering {
  readonly store: StateStore;
  readonly cluster: string;
  readonly node: string;
  readonly running: RunningCluster;
  /** Machines on this computer, whose logs can be read. */
  readonly hosts: HostMachines | undefined;
  readonly settings: HostSettings;
  readonly signal: AbortSignal;
}

/** Asks every source that may know something of a node, all at once. A source that cannot be asked is reported as such. */
export async function gatherEvidence(gathering: Gathering): Promise<NodeEvidence> {
  const { store, cluster, node, running, signal } = gathering;
  const asked = <T>(what: string, work: (ending: AbortSignal) => Promise<T>): Promise<T | NotKnown> =>
    within(ANSWER_LIMIT_MS, what, signal, work).catch((error: unknown) => {
      signal.throwIfAborted();
      const failure = printable(messageOf(error));
      return error instanceof ActionableError ? { failure, next: error.next } : { failure };
    });
  const machines = asked('ask the cloud for machines', () => running.machines());
  const [found, report, kept, stamps, enrolment, objects, journal, console] = await Promise.all([
    machines,
    fetchBootReport(store, bootReportPath(cluster, node), signal),
    fetchMachineReport(store, machineReportPath(cluster, node), signal),
    storeStamps(store, cluster, node, signal),
    readEnrolment(store, cluster, node),
    asked('ask the Kubernetes API', (ending) => nodeObjects(gathering, ending)),
    logLines(gathering, 'journal'),
    logLines(gathering, 'console'),
  ]);
  const aheadMs = clockAheadMs({
    report: report?.report,
    reportStoredMs: stamps.get(bootReportPath(cluster, node)),
    kept,
    keptStoredMs: stamps.get(machineReportPath(cluster, node)),
  });
  const machine = 'failure' in found ? found : found.find(({ nodeName }) => nodeName === node);
  return {
    node,
    atMs: Date.now(),
    machine,
    report: report?.report,
    ...(kept !== undefined && { kept }),
    ...(aheadMs !== undefined && { clockAheadMs: aheadMs }),
    enrolment,
    objects,
    journal: journalOf(journal, kept),
    console: console.length > 0 || !isSilent(report, objects) ? console : await cloudConsole(gathering, machine),
  };
}

/** It never reported, or no longer does: then its console is all that is left of it. */
const isSilent = (report: object | undefined, objects: NodeEvidence['objects']): boolean =>
  report === undefined || !isKnown(objects) || objects.node === undefined || !isReady(objects.node);

/** What the cloud has of a machine's console. If it cannot be read, that is reported too: a person may have the right to read it. */
async function cloudConsole(
  { running, signal }: Gathering,
  machine: NodeEvidence['machine'],
): Promise<readonly string[]> {
  if (!isKnown(machine) || running.console === undefined) return [];
  const { console } = running;
  const text = await within(ANSWER_LIMIT_MS, 'ask the cloud for the console', signal, (ending) =>
    console(machine.name, ending),
  ).catch((error: unknown) => {
    signal.throwIfAborted();
    return `the console cannot be read: ${messageOf(error)}`;
  });
  return linesOf(text);
}

/** When the store got what it holds of a node, by path. */
async function storeStamps(
  store: StateStore,
  cluster: string,
  node: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const entries = await store.list(posix.dirname(bootReportPath(cluster, node)), signal);
  return new Map(entries.map(({ path, modifiedMs }) => [path, modifiedMs]));
}

async function readEnrolment(store: StateStore, cluster: string, node: string): Promise<NodeEvidence['enrolment']> {
  const stored = await store.read(enrolmentPath(cluster, node));
  if (stored === undefined) return undefined;
  const { enrolledAt, revokedAt, revokedReason } = parseEnrolment(new TextDecoder().decode(stored.bytes));
  return {
    enrolledAt: printable(enrolledAt),
    ...(revokedAt !== undefined && { revokedAt: printable(revokedAt) }),
    ...(revokedReason !== undefined && { reason: printable(revokedReason) }),
  };
}

async function nodeObjects({ store, cluster, node, settings }: Gathering, signal: AbortSignal): Promise<NodeObjects> {
  const { kube } = await accessCluster(store, cluster, settings, { signal });
  const events = new URLSearchParams({
    fieldSelector: `involvedObject.name=${node},involvedObject.kind=Node,type=Warning`,
  });
  const pods = new URLSearchParams({ fieldSelector: `spec.nodeName=${node}` });
  const [object, warned, placed, held, nowMs] = await Promise.all([
    kube.get(`/api/v1/nodes/${encodeURIComponent(node)}`, signal),
    itemsOf(kube, `/api/v1/events?${events.toString()}`, signal),
    itemsOf(kube, `/api/v1/namespaces/kube-system/pods?${pods.toString()}`, signal),
    kube.get(`${NODE_LEASES}/${encodeURIComponent(node)}`, signal),
    kube.timeMs(signal),
  ]);
  const lease = readNodeLease(asRecord(held));
  return {
    node: object === undefined ? undefined : readNode(asRecord(object)),
    ...(object !== undefined && asRecord(asRecord(object)['spec'])['unschedulable'] === true && { isCordoned: true }),
    taints: asArray(asRecord(asRecord(object)['spec'])['taints']).map((taint) => textOf(asRecord(taint)['key'])),
    podNames: placed.map((pod) => textOf(asRecord(pod['metadata'])['name'])),
    ...(lease?.writtenMs !== undefined && { lease: { ...lease, ageMs: nowMs - lease.writtenMs } }),
    events: warned.map((event) => ({ reason: textOf(event['reason']), message: textOf(event['message']) })),
    pods: placed.flatMap(unreadyPod),
  };
}

async function itemsOf(
  kube: KubeClient,
  path: string,
  signal: AbortSignal,
): Promise<readonly Record<string, unknown>[]> {
  return asArray(asRecord(await kube.get(path, signal))['items']).map(asRecord);
}

function unreadyPod(pod: Readonly<Record<string, unknown>>): NodeObjects['pods'] {
  const status = asRecord(pod['status']);
  if (status['phase'] === 'Succeeded') return [];
  const containers = [...asArray(status['initContainerStatuses']), ...asArray(status['containerStatuses'])].map(
    asRecord,
  );
  const reasons = containers.flatMap((container) => {
    const { waiting, terminated } = asRecord(container['state']);
    const [waits, ended] = [asRecord(waiting), asRecord(terminated)];
    if (container['ready'] === true || (waiting === undefined && ended['exitCode'] === 0)) return [];
    const last = asRecord(asRecord(container['lastState'])['terminated']);
    return [
      [waits, ended, last]
        .flatMap(({ reason, message }) => [textOf(reason), textOf(message)])
        .filter((text) => text !== '')
        .join(': '),
    ];
  });
  const isReady = asArray(status['conditions']).some(
    (one) => asRecord(one)['type'] === 'Ready' && asRecord(one)['status'] === 'True',
  );
  return isReady
    ? []
    : [{ name: textOf(asRecord(pod['metadata'])['name']), reasons: reasons.filter((text) => text !== '') }];
}

const textOf = (value: unknown): string => printable(asString(value) ?? '');

/** Logs that this computer can read; of a machine that is not there, or not this computer's, there are none. */
async function logLines({ hosts, node }: Gathering, log: 'journal' | 'console'): Promise<readonly string[]> {
  if (hosts === undefined) return [];
  const text = await hosts[log](node).catch(() => '');
  return linesOf(text);
}

/** The last lines of a log that explain something, as they can be printed. */
const linesOf = (text: string): readonly string[] =>
  printableLines(text)
    .split('\n')
    .filter((line) => line.trim() !== '' && !INFORMS.test(line))
    .slice(-MAX_LOG_LINES)
    .map((line) => printable(line, 400));
