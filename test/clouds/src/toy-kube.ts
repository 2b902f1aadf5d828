import type { KubeClient } from '@kopsctl/kube/client.ts';
import { asRecord } from '@kopsctl/kube/json.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';
import type { ToyMachine, ToyService } from './toy-cloud/node/toy-things.ts';

type Json = Readonly<Record<string, unknown>>;

const COMPONENTS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];

export interface ToyNodes {
  /** What the status of each Node lists. */
  readonly images?: readonly unknown[];
  /** Which machines have joined, by their ids; without it, all have at once. Until then the Node is that of the machine before. */
  readonly joined?: (machines: readonly ToyMachine[]) => ReadonlySet<string>;
}

/**
 * An API of Kubernetes for the toy cloud's machines, without a server: each has a Node, which is Ready once it has joined,
 * and control planes have their static pods. Nodes keep what is patched.
 */
export function toyKube(
  toy: ToyService,
  { images = [], joined = (machines) => new Set(machines.map(({ id }) => id)) }: ToyNodes = {},
): Pick<KubeClient, 'get' | 'text' | 'timeMs' | 'create' | 'mergePatch' | 'remove'> {
  const patched = new Map<string, Json>();
  /** By the Node's name: the last machine that joined. */
  const registered = new Map<string, string>();
  const nodeOf = (name: string, machineID: string, isReady: boolean): Json => {
    const { metadata, spec } = asRecord(patched.get(name));
    return {
      metadata: { ...asRecord(metadata), name },
      spec: asRecord(spec),
      status: { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }], images, nodeInfo: { machineID } },
    };
  };
  const namedNode = async (name: string) =>
    nodeOf(name, registered.get(name) ?? (await toy.machines.read(name))?.id ?? '', true);
  const podsOf = (node: string): readonly Json[] =>
    COMPONENTS.map((component) => ({
      metadata: { namespace: 'kube-system', name: `${component}-${node}` },
      spec: { nodeName: node, priorityClassName: 'system-node-critical' },
      status: { phase: 'Running', containerStatuses: [{ name: component, ready: true }] },
    }));
  const answer = async (path: string): Promise<unknown> => {
    if (path === '/api/v1') return { resources: [{ name: 'pods/eviction', version: 'v1' }] };
    if (path.startsWith('/api/v1/nodes/')) return namedNode(path.slice('/api/v1/nodes/'.length));
    if (path.startsWith('/api/v1/pods?')) return { items: [] };
    const machines = await toy.machines.list();
    if (path.startsWith('/api/v1/nodes?')) {
      const ready = joined(machines);
      for (const { id, name } of machines) if (ready.has(id)) registered.set(name, id);
      return { items: machines.map(({ id, name }) => nodeOf(name, registered.get(name) ?? id, ready.has(id))) };
    }
    const controlPlanes = machines.filter(({ role }) => role === 'ControlPlane');
    return { items: controlPlanes.flatMap(({ name }) => podsOf(name)) };
  };
  return {
    text: async () => '',
    timeMs: async () => Date.now(),
    // What a server sends is text, and is parsed each time.
    get: async (path) => JSON.parse(JSON.stringify(await answer(path))) as unknown,
    create: async () => ({}),
    remove: async (path) => patched.delete(path.slice('/api/v1/nodes/'.length)),
    async mergePatch(path, patch) {
      const name = path.slice('/api/v1/nodes/'.length);
      patched.set(name, merged(asRecord(patched.get(name)), asRecord(patch)));
      return namedNode(name);
    },
  };
}

/** JSON Merge Patch (RFC 7386). */
function merged(target: Json, patch: Json): Json {
  const kept = Object.entries(target).filter(([key]) => patch[key] === undefined);
  const changed = Object.entries(patch).flatMap(([key, value]) => {
    if (value === null) return [];
    return [[key, isRecord(value) ? merged(asRecord(target[key]), asRecord(value)) : value] as const];
  });
  return Object.fromEntries([...kept, ...changed]);
}
