import type { NodeMarks, Taint } from '@kopsctl/node-plan/node-marks.ts';
import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';
import type { MarkedNode } from './parse-marked-node.ts';

/**
 * The keys of the labels and taints that protokube has set on Nodes, by instance group, so that it removes only its own.
 * It is kept where no kubelet can write: with a record on its own Node, a kubelet could have labels and taints of
 * administrators removed.
 */
export type MarksRecord = Readonly<Record<string, MarkKeys>>;

export interface MarkKeys {
  readonly labels: readonly string[];
  /** As `taintKey` writes them. */
  readonly taints: readonly string[];
}

/** The annotation of the namespace kube-system that holds the record as JSON. */
export const MARKS_ANNOTATION = 'kopsctl.io/instance-group-marks';

/** The group of a Node as protokube last labelled it. Kubernetes lets no kubelet set labels of `k8s.io` (NodeRestriction). */
export const GROUP_LABEL = 'kops.k8s.io/instancegroup';

/**
 * The record to have before Nodes are changed: what each group wants, and what it no longer wants but some Node that is
 * labelled as one of its own still has.
 */
export function planMarksRecord(marks: NodeMarks, record: MarksRecord, nodes: readonly MarkedNode[]): MarksRecord {
  const groups = [...new Set([...Object.keys(marks), ...Object.keys(record)])].toSorted();
  return Object.fromEntries(
    groups.flatMap((group) => {
      const { labels = {}, taints = [] } = marks[group] ?? {};
      const recorded = keysOf(record, group);
      const members = nodes.filter((node) => node.labels[GROUP_LABEL] === group);
      const lingers = {
        labels: recorded.labels.filter((key) => members.some((node) => key in node.labels)),
        taints: recorded.taints.filter((key) =>
          members.some((node) => node.taints.some((one) => taintKey(one) === key)),
        ),
      };
      const keys = {
        labels: [...new Set([...Object.keys(labels), ...lingers.labels])].toSorted(),
        taints: [...new Set([...taints.map(taintKey), ...lingers.taints])].toSorted(),
      };
      const isEmpty = keys.labels.length + keys.taints.length === 0;
      return isEmpty ? [] : [[group, keys]];
    }),
  );
}

/** Kubernetes identifies a taint by its key and effect. */
export function taintKey({ key, effect }: Taint): string {
  return `${key}:${effect}`;
}

export function keysOf(record: MarksRecord, group: string | undefined): MarkKeys {
  return record[group ?? ''] ?? { labels: [], taints: [] };
}

/** What is damaged counts as not set by protokube: it then stays on the Nodes. */
export function parseMarksRecord(annotation: string | undefined): MarksRecord {
  let record;
  try {
    record = asRecord(JSON.parse(annotation ?? '{}'));
  } catch {
    record = {};
  }
  const texts = (value: unknown) => asArray(value).flatMap((one) => asString(one) ?? []);
  return Object.fromEntries(
    Object.entries(record).map(([group, keys]) => {
      const { labels, taints } = asRecord(keys);
      return [group, { labels: texts(labels), taints: texts(taints) }];
    }),
  );
}
