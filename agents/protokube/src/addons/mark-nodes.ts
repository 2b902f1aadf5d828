import type { KubeClient } from '@kopsctl/kube/client.ts';
import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';
import type { Machines } from '@kopsctl/kube/addons/channel.ts';

/** kops's annotation of a node that the next rolling update must replace. */
export const NEEDS_UPDATE = 'kops.k8s.io/needs-update';
/** The page size: a Node takes some kilobytes, mostly for the names of its images. */
const AT_ONCE = 100;
const CONTROL_PLANE = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];

/** Marks the nodes that a changed addon makes outdated. Returns their number. */
export async function markNodes(kube: KubeClient, machines: Machines, signal: AbortSignal): Promise<number> {
  let marked = 0;
  let next = '';
  do {
    const query = `limit=${AT_ONCE}${next === '' ? '' : `&continue=${encodeURIComponent(next)}`}`;
    const list = asRecord(await kube.get(`/api/v1/nodes?${query}`, signal));
    for (const name of outdatedNodes(asArray(list['items']), machines)) {
      await kube.mergePatch(`/api/v1/nodes/${name}`, { metadata: { annotations: { [NEEDS_UPDATE]: '' } } }, signal);
      marked += 1;
    }
    next = asString(asRecord(list['metadata'])['continue']) ?? '';
  } while (next !== '');
  return marked;
}

/** The names of the nodes that `machines` selects. Every node that is not a control plane is a worker. */
function outdatedNodes(nodes: readonly unknown[], machines: Machines): readonly string[] {
  return nodes.flatMap((node) => {
    const metadata = asRecord(asRecord(node)['metadata']);
    const isControlPlane = CONTROL_PLANE.some((label) => label in asRecord(metadata['labels']));
    const isMeant = machines === 'all' || isControlPlane === (machines === 'control-plane');
    return isMeant ? (asString(metadata['name']) ?? []) : [];
  });
}
