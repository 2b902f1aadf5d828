import type { KubeClient } from '@kopsctl/kube/client.ts';
import { asRecord, asString } from '@kopsctl/kube/json.ts';
import { listObjects } from '@kopsctl/kube/list-objects.ts';
import { marksOf } from '../rolling/mark-node.ts';

/** The names of the Nodes whose machines people want to be replaced. */
export async function markedNodes(kube: Pick<KubeClient, 'get'>, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  await listObjects(kube, '/api/v1/nodes', signal, (node) => {
    if (marksOf(node).needsUpdate) names.add(asString(asRecord(asRecord(node)['metadata'])['name']) ?? '');
  });
  return names;
}
