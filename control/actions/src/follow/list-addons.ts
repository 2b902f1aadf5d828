import { isRecord } from '@kopsctl/tasks/record.ts';
import { printable } from './printable.ts';
import type { KubernetesApi } from '../access/kubernetes-api.ts';
import type { WorkloadStatus } from '../access/kubernetes-objects.ts';

/** An addon as the cluster remembers it. */
export interface AddonStatus {
  readonly name: string;
  readonly version?: string;
  readonly manifestHash: string;
  readonly objects: number;
  readonly status: 'applied' | 'failed';
  readonly failure?: string;
}

/** An addon, and how what it runs is doing. */
export interface RunningAddon extends AddonStatus {
  /** The Deployments, DaemonSets and StatefulSets that it has applied or that its selector finds. */
  readonly workloads: readonly Pick<WorkloadStatus, 'kind' | 'namespace' | 'name' | 'wanted' | 'ready'>[];
}

/** protokube's notes of what it applied (agents/protokube, addons/inventory.ts). */
const CONFIG_MAP = 'kopsctl-addons';

/** The addons of a running cluster, by name. */
export async function listAddons(api: KubernetesApi, signal: AbortSignal): Promise<readonly AddonStatus[]> {
  const notes = await api.systemConfigMap(CONFIG_MAP, signal);
  return byName(notes).map(([name, text]) => statusOf(name, readNote(text)));
}

/** kops's channels keep their notes here, by addon (kops channels/pkg/channels/channel_version.go). */
const KOPS_PREFIX = 'addons.k8s.io/';

/** The addons that kops applied, as the annotations of kube-system say. */
export const addonsOfKops = (annotations: Readonly<Record<string, string>>): readonly AddonStatus[] =>
  byName(annotations).flatMap(([key, text]) =>
    key.startsWith(KOPS_PREFIX) ? [statusOf(printable(key.slice(KOPS_PREFIX.length), 100), readNote(text))] : [],
  );

/** The same, with what they run. */
export async function listRunningAddons(api: KubernetesApi, signal: AbortSignal): Promise<readonly RunningAddon[]> {
  const [notes, workloads] = await Promise.all([api.systemConfigMap(CONFIG_MAP, signal), api.workloads(signal)]);
  return byName(notes).map(([name, text]) => runningAddon(name, text, workloads));
}

const byName = (notes: Readonly<Record<string, string>>) =>
  Object.entries(notes).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** What one of protokube's notes says, beside what runs in the cluster. */
export function runningAddon(name: string, text: string, running: readonly WorkloadStatus[]): RunningAddon {
  const note = readNote(text);
  const applied = objectsOf(note);
  const selector = note?.['selector'];
  const isItsOwn = ({ kind, namespace, name: called, labels }: WorkloadStatus): boolean =>
    applied.some((one) => one.kind === kind && one.namespace === namespace && one.name === called) ||
    (typeof selector === 'string' && selects(selector, labels));
  return {
    ...statusOf(name, note),
    workloads: running
      .filter(isItsOwn)
      .map(({ kind, namespace, name: called, wanted, ready }) => ({ kind, namespace, name: called, wanted, ready })),
  };
}

type Note = Readonly<Record<string, unknown>>;

/** Undefined where it is not a JSON object. */
function readNote(text: string): Note | undefined {
  try {
    const note: unknown = JSON.parse(text);
    return isRecord(note) ? note : undefined;
  } catch {
    return undefined;
  }
}

const objectsOf = (note: Note | undefined): readonly AppliedObject[] =>
  Array.isArray(note?.['objects']) ? note['objects'].filter(isRecord) : [];

function statusOf(name: string, note: Note | undefined): AddonStatus {
  if (note === undefined) {
    return {
      name,
      manifestHash: '',
      objects: 0,
      status: 'failed',
      failure: 'what the cluster recorded about it cannot be read',
    };
  }
  const { version, manifestHash, failure } = note;
  return {
    name,
    ...(typeof version === 'string' ? { version: printable(version) } : {}),
    manifestHash: typeof manifestHash === 'string' ? printable(manifestHash) : '',
    objects: objectsOf(note).length,
    status: failure === undefined ? 'applied' : 'failed',
    ...(typeof failure === 'string' ? { failure: printable(failure) } : {}),
  };
}

interface AppliedObject {
  readonly kind?: unknown;
  readonly namespace?: unknown;
  readonly name?: unknown;
}

/** Whether labels have all that a selector of the form `key=value,key=value` names. */
const selects = (selector: string, labels: Readonly<Record<string, string>>): boolean =>
  selector !== '' &&
  selector.split(',').every((pair) => {
    const [key = '', value = ''] = pair.split('=');
    return labels[key] === value;
  });

/** How many of its pods are ready, such as `1/2`; empty where it runs none. */
export function readiness({ workloads }: Pick<RunningAddon, 'workloads'>): string {
  const sum = (count: 'wanted' | 'ready') => workloads.reduce((all, one) => all + one[count], 0);
  return workloads.length === 0 ? '' : `${sum('ready')}/${sum('wanted')}`;
}
