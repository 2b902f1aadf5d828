import type { Taint } from '@kopsctl/node-plan/node-marks.ts';
import { asArray, asRecord } from '@kopsctl/kube/json.ts';

/** The parts of a Node that marks concern: its labels and taints. */
export interface MarkedNode {
  readonly name: string;
  /** Makes the patch conditional on the version that was read. */
  readonly resourceVersion: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
}

/** Parses the parts of a Node that marks concern. */
export function parseMarkedNode(object: unknown): MarkedNode | undefined {
  const { metadata, spec } = asRecord(object);
  const { name, resourceVersion, labels } = asRecord(metadata);
  if (typeof name !== 'string' || typeof resourceVersion !== 'string') return undefined;
  return {
    name,
    resourceVersion,
    labels: strings(labels),
    taints: asArray(asRecord(spec)['taints']).flatMap(parseTaint),
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
