import type { KubernetesApi } from './kubernetes-api.ts';

/** An addon as the cluster remembers it. */
export interface AddonStatus {
  readonly name: string;
  readonly version?: string;
  readonly manifestHash: string;
  readonly objects: number;
  readonly status: 'applied' | 'failed';
  readonly failure?: string;
}

/** protokube's notes of what it applied (agents/protokube, addons/inventory.ts). */
const CONFIG_MAP = 'kopsctl-addons';

/** The addons of a running cluster, by name. */
export async function listAddons(api: KubernetesApi, signal: AbortSignal): Promise<readonly AddonStatus[]> {
  const notes = await api.systemConfigMap(CONFIG_MAP, signal);
  return Object.entries(notes)
    .map(([name, text]) => statusOf(name, text))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function statusOf(name: string, text: string): AddonStatus {
  let note: Readonly<Record<string, unknown>>;
  try {
    note = JSON.parse(text) as typeof note;
  } catch {
    return { name, manifestHash: '', objects: 0, status: 'failed', failure: 'what the cluster notes of it is no JSON' };
  }
  const { version, manifestHash, objects, failure } = note;
  return {
    name,
    ...(typeof version === 'string' ? { version } : {}),
    manifestHash: typeof manifestHash === 'string' ? manifestHash : '',
    objects: Array.isArray(objects) ? objects.length : 0,
    status: failure === undefined ? 'applied' : 'failed',
    ...(typeof failure === 'string' ? { failure } : {}),
  };
}
