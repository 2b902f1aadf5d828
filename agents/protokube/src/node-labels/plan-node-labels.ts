import type { GroupMarks, NodeMarks, Taint } from '@kopsctl/node-plan/node-marks.ts';

/** The parts of a Node that marks concern: its labels and taints. */
export interface MarkedNode {
  readonly name: string;
  /** Makes the patch conditional on the version that was read. */
  readonly resourceVersion: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  /** The labels and taints that protokube set, so that it removes only its own. */
  readonly ours: { readonly labels: readonly string[]; readonly taints: readonly string[] };
}

/** Holds `MarkedNode.ours` as JSON. */
export const OURS_ANNOTATION = 'kopsctl.io/instance-group-marks';

export interface NodePatch {
  readonly node: string;
  readonly summary: string;
  /** A merge patch (RFC 7386) of the Node. */
  readonly patch: unknown;
}

/**
 * The patches that give the Nodes the labels and taints of their instance groups. The cloud says which group a machine
 * belongs to, never the node itself. Labels and taints that others have set are left alone.
 *
 * @param groupOf the instance group by name of the Node
 */
export function planNodeLabels(
  marks: NodeMarks,
  groupOf: ReadonlyMap<string, string>,
  nodes: readonly MarkedNode[],
): readonly NodePatch[] {
  return nodes.flatMap((node) => {
    const wanted = marks[groupOf.get(node.name) ?? ''];
    return wanted === undefined ? [] : planNode(node, wanted);
  });
}

function planNode(node: MarkedNode, wanted: GroupMarks): readonly NodePatch[] {
  const labels: Record<string, string | null> = {};
  for (const [key, value] of Object.entries(wanted.labels)) if (node.labels[key] !== value) labels[key] = value;
  for (const key of node.ours.labels) if (!(key in wanted.labels) && key in node.labels) labels[key] = null;

  const wantedKeys = wanted.taints.map(taintKey);
  const kept = node.taints.filter((taint) => ![...wantedKeys, ...node.ours.taints].includes(taintKey(taint)));
  const taints = [...kept, ...wanted.taints];
  const hasOtherTaints = !isSameSet(taints.map(taintText), node.taints.map(taintText));

  const ours = { labels: Object.keys(wanted.labels).toSorted(), taints: wantedKeys.toSorted() };
  const knowsOurs = JSON.stringify(ours) === JSON.stringify(node.ours);
  const changed = [
    ...Object.entries(labels).map(([key, value]) =>
      value === null ? `label ${key} removed` : `label ${key}=${value}`,
    ),
    ...(hasOtherTaints ? [`taints ${taints.map(taintText).join(', ') || 'none'}`] : []),
  ];
  if (changed.length === 0 && knowsOurs) return [];
  return [
    {
      node: node.name,
      summary: `${node.name}: ${changed.join('; ') || 'record what protokube set'}`,
      patch: {
        metadata: {
          resourceVersion: node.resourceVersion,
          annotations: { [OURS_ANNOTATION]: JSON.stringify(ours) },
          ...(Object.keys(labels).length > 0 && { labels }),
        },
        ...(hasOtherTaints && { spec: { taints } }),
      },
    },
  ];
}

/** Kubernetes identifies a taint by its key and effect. */
function taintKey({ key, effect }: Taint): string {
  return `${key}:${effect}`;
}

function taintText({ key, value = '', effect }: Taint): string {
  return `${key}=${value}:${effect}`;
}

function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((one) => right.includes(one));
}
