import type { GroupMarks, NodeMarks, Taint } from '@kopsctl/node-plan/node-marks.ts';
import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';

/**
 * Parses `node-marks.json`.
 *
 * @throws when it is not an object of groups: marks that are read as empty would remove labels and taints of all nodes
 */
export function parseNodeMarks(text: string): NodeMarks {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) throw new Error('it is not an object');
  return Object.fromEntries(Object.entries(value).map(([group, marks]) => [group, parseGroup(group, marks)]));
}

function parseGroup(group: string, value: unknown): GroupMarks {
  const { labels, taints } = asRecord(value);
  const texts = Object.entries(asRecord(labels));
  if (!Array.isArray(taints) || texts.some(([, one]) => typeof one !== 'string')) {
    throw new Error(`the instance group ${group} needs labels with string values and a list of taints`);
  }
  return {
    labels: Object.fromEntries(texts.map(([key, one]) => [key, asString(one) ?? ''])),
    taints: asArray(taints).map((one) => parseTaint(group, one)),
  };
}

function parseTaint(group: string, value: unknown): Taint {
  const { key, value: own, effect } = asRecord(value);
  if (typeof key !== 'string' || typeof effect !== 'string') {
    throw new Error(`a taint of the instance group ${group} lacks key or effect`);
  }
  return { key, effect, ...(typeof own === 'string' && { value: own }) };
}
