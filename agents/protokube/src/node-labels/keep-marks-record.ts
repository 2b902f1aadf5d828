import type { KubeClient } from '@kopsctl/kube/client.ts';
import { asRecord, asString } from '@kopsctl/kube/json.ts';
import { listObjects } from '@kopsctl/kube/list-objects.ts';
import type { NodeMarks } from '@kopsctl/node-plan/node-marks.ts';
import { MARKS_ANNOTATION, parseMarksRecord, planMarksRecord, type MarksRecord } from './marks-record.ts';
import { parseMarkedNode, type MarkedNode } from './parse-marked-node.ts';

const KUBE_SYSTEM = '/api/v1/namespaces/kube-system';

/**
 * Brings the record up to date before any Node is changed, so that no mark is ever set without being in it, and returns
 * all keys that may be removed.
 *
 * @param watched the Nodes as a watch has brought them. It may not have brought a mark yet that was set a moment ago, by
 *   this leader or the one before, so what it says is not enough to forget a key.
 */
export async function keepMarksRecord(
  marks: NodeMarks,
  watched: readonly MarkedNode[],
  kube: Pick<KubeClient, 'get' | 'mergePatch'>,
  signal: AbortSignal,
): Promise<MarksRecord> {
  const namespace = asRecord(await kube.get(KUBE_SYSTEM, signal));
  const annotations = asRecord(asRecord(namespace['metadata'])['annotations']);
  const before = parseMarksRecord(asString(annotations[MARKS_ANNOTATION]));
  const seen = planMarksRecord(marks, before, watched);
  const record = forgets(before, seen) ? planMarksRecord(marks, before, await nodesNow(kube, signal)) : seen;
  const text = JSON.stringify(record);
  if (text !== annotations[MARKS_ANNOTATION]) {
    await kube.mergePatch(KUBE_SYSTEM, { metadata: { annotations: { [MARKS_ANNOTATION]: text } } }, signal);
  }
  return record;
}

function forgets(before: MarksRecord, after: MarksRecord): boolean {
  return Object.entries(before).some(([group, keys]) => {
    const { labels = [], taints = [] } = after[group] ?? {};
    return keys.labels.some((key) => !labels.includes(key)) || keys.taints.some((key) => !taints.includes(key));
  });
}

/** A list without a resourceVersion is what etcd holds at that moment. */
async function nodesNow(kube: Pick<KubeClient, 'get'>, signal: AbortSignal): Promise<readonly MarkedNode[]> {
  const nodes: MarkedNode[] = [];
  await listObjects(kube, '/api/v1/nodes', signal, (object) => {
    const node = parseMarkedNode(object);
    if (node !== undefined) nodes.push(node);
  });
  return nodes;
}
