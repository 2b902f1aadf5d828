import type { KubernetesApi, WorkloadStatus } from './kubernetes-api.ts';

/** An addon as the cluster remembers it, and how what it runs is doing. */
export interface AddonStatus {
  readonly name: string;
  readonly version?: string;
  readonly manifestHash: string;
  readonly objects: number;
  readonly status: 'applied' | 'failed';
  readonly failure?: string;
  /** Its Deployments, DaemonSets and StatefulSets: those that it has applied, and those that its selector finds. */
  readonly workloads: readonly Pick<WorkloadStatus, 'kind' | 'namespace' | 'name' | 'wanted' | 'ready'>[];
}

/** protokube's notes of what it applied (agents/protokube, addons/inventory.ts). */
const CONFIG_MAP = 'kopsctl-addons';

/** The addons of a running cluster, by name. */
export async function listAddons(api: KubernetesApi, signal: AbortSignal): Promise<readonly AddonStatus[]> {
  const [notes, workloads] = await Promise.all([api.systemConfigMap(CONFIG_MAP, signal), api.workloads(signal)]);
  return Object.entries(notes)
    .map(([name, text]) => statusOf(name, text, workloads))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** What one of protokube's notes says, beside what runs in the cluster. */
export function statusOf(name: string, text: string, running: readonly WorkloadStatus[]): AddonStatus {
  let note: Readonly<Record<string, unknown>>;
  try {
    note = JSON.parse(text) as typeof note;
  } catch {
    const failure = 'what the cluster notes of it is no JSON';
    return { name, manifestHash: '', objects: 0, status: 'failed', failure, workloads: [] };
  }
  const { version, manifestHash, objects, failure, selector } = note;
  const applied = (Array.isArray(objects) ? objects : []) as readonly AppliedObject[];
  const isItsOwn = ({ kind, namespace, name: called, labels }: WorkloadStatus): boolean =>
    applied.some((one) => one.kind === kind && one.namespace === namespace && one.name === called) ||
    (typeof selector === 'string' && selects(selector, labels));
  return {
    name,
    ...(typeof version === 'string' ? { version } : {}),
    manifestHash: typeof manifestHash === 'string' ? manifestHash : '',
    objects: applied.length,
    status: failure === undefined ? 'applied' : 'failed',
    ...(typeof failure === 'string' ? { failure } : {}),
    workloads: running
      .filter(isItsOwn)
      .map(({ kind, namespace, name: called, wanted, ready }) => ({ kind, namespace, name: called, wanted, ready })),
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

/** Pods that are ready, of those that there should be; empty where it runs none. */
export function readiness({ workloads }: Pick<AddonStatus, 'workloads'>): string {
  const sum = (count: 'wanted' | 'ready') => workloads.reduce((all, one) => all + one[count], 0);
  return workloads.length === 0 ? '' : `${sum('ready')}/${sum('wanted')}`;
}
