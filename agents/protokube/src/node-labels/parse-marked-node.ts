import type { Taint } from '@kopsctl/node-plan/node-marks.ts';
import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';
import { OURS_ANNOTATION, type MarkedNode } from './plan-node-labels.ts';

/** Parses the parts of a Node that marks concern. */
export function parseMarkedNode(object: unknown): MarkedNode | undefined {
  const { metadata, spec } = asRecord(object);
  const { name, resourceVersion, labels, annotations } = asRecord(metadata);
  if (typeof name !== 'string' || typeof resourceVersion !== 'string') return undefined;
  return {
    name,
    resourceVersion,
    labels: strings(labels),
    taints: asArray(asRecord(spec)['taints']).flatMap(parseTaint),
    ours: parseOurs(asString(asRecord(annotations)[OURS_ANNOTATION])),
  };
}

function strings(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(asRecord(value)).map(([key, one]) => [key, String(one)]));
}

function parseTaint(value: unknown): readonly Taint[] {
  const { key, value: own, effect } = asRecord(value);
  if (typeof key !== 'string' || typeof effect !== 'string') return [];
  return [{ key, effect, ...(typeof own === 'string' && own !== '' ? { value: own } : {}) }];
}

/** An invalid annotation counts as none and is written again; marks it recorded are then not removed. */
function parseOurs(annotation: string | undefined): MarkedNode['ours'] {
  let ours;
  try {
    ours = asRecord(JSON.parse(annotation ?? '{}'));
  } catch {
    ours = asRecord(undefined);
  }
  const list = (value: unknown) => asArray(value).filter((one) => typeof one === 'string');
  return { labels: list(ours['labels']), taints: list(ours['taints']) };
}
