import type { GroupMarks, NodeMarks, Taint } from '@kopsctl/node-plan/node-marks.ts';
import { GROUP_LABEL, keysOf, taintKey, type MarkKeys, type MarksRecord } from './marks-record.ts';
import type { MarkedNode } from './parse-marked-node.ts';

export interface NodePatch {
  readonly node: string;
  readonly summary: string;
  /** A merge patch (RFC 7386) of the Node. */
  readonly patch: unknown;
}

/**
 * The patches that give the Nodes the labels and taints of their instance groups. The cloud says which group a machine
 * belongs to, never the node itself. Labels and taints that others have set are left alone: only those in the record of
 * a node's group, or of the group that it was in before, are removed.
 *
 * @param groupOf the instance group by name of the Node
 */
export function planNodeLabels(
  marks: NodeMarks,
  record: MarksRecord,
  groupOf: ReadonlyMap<string, string>,
  nodes: readonly MarkedNode[],
): readonly NodePatch[] {
  return nodes.flatMap((node) => {
    const group = groupOf.get(node.name);
    const wanted = marks[group ?? ''];
    const [now, before] = [keysOf(record, group), keysOf(record, node.labels[GROUP_LABEL])];
    const ours = { labels: [...now.labels, ...before.labels], taints: [...now.taints, ...before.taints] };
    return wanted === undefined ? [] : planNode(node, wanted, ours);
  });
}

function planNode(node: MarkedNode, wanted: GroupMarks, ours: MarkKeys): readonly NodePatch[] {
  const labels: Record<string, string | null> = {};
  for (const [key, value] of Object.entries(wanted.labels)) if (node.labels[key] !== value) labels[key] = value;
  for (const key of ours.labels) if (!(key in wanted.labels) && key in node.labels) labels[key] = null;

  const wantedKeys = wanted.taints.map(taintKey);
  const kept = node.taints.filter((taint) => ![...wantedKeys, ...ours.taints].includes(taintKey(taint)));
  const taints = [...kept, ...wanted.taints];
  const hasOtherTaints = !isSameSet(taints.map(taintText), node.taints.map(taintText));

  const changed = [
    ...Object.entries(labels).map(([key, value]) =>
      value === null ? `label ${key} removed` : `label ${key}=${value}`,
    ),
    ...(hasOtherTaints ? [`taints ${taints.map(taintText).join(', ') || 'none'}`] : []),
  ];
  if (changed.length === 0) return [];
  return [
    {
      node: node.name,
      summary: `${node.name}: ${changed.join('; ')}`,
      patch: {
        metadata: {
          resourceVersion: node.resourceVersion,
          ...(Object.keys(labels).length > 0 && { labels }),
        },
        ...(hasOtherTaints && { spec: { taints } }),
      },
    },
  ];
}

function taintText({ key, value = '', effect }: Taint): string {
  return `${key}=${value}:${effect}`;
}

function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((one) => right.includes(one));
}
