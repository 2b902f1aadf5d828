import { asRecord } from '@kopsctl/tasks/record.ts';
import type { AddonObject } from '../addon-object.ts';

export type Fields = Readonly<Record<string, unknown>>;
export const fields = (value: unknown): Fields => asRecord(value);
export const items = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fields) : []);
export const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
export const text = (value: unknown, otherwise = ''): string => (typeof value === 'string' ? value : otherwise);
export const nameOf = (object: Fields): string => text(fields(object['metadata'])['name']);
export const namespaceOf = (object: Fields): string => text(fields(object['metadata'])['namespace']);

/** What an object makes pods of, and where those may run. */
export interface PlacedPod {
  /** `<namespace>/<name>` of the object. */
  readonly workload: string;
  readonly pod: Fields;
  readonly account: string;
  readonly namespace: string;
  readonly labels: Fields;
}

export const podsIn = (objects: readonly AddonObject[]): readonly PlacedPod[] => objects.flatMap(podIn);

function podIn(object: AddonObject): readonly PlacedPod[] {
  const spec = fields(object['spec']);
  const template = fields(object.kind === 'CronJob' ? fields(fields(spec['jobTemplate'])['spec'])['template'] : spec['template']);
  const pod = fields(template['spec']);
  if (!Array.isArray(pod['containers'])) return [];
  const namespace = namespaceOf(object);
  const workload = `${namespace}/${nameOf(object)}`;
  const account = `${namespace}/${text(pod['serviceAccountName'], 'default')}`;
  return [{ workload, pod, account, namespace, labels: fields(fields(template['metadata'])['labels']) }];
}

const isControlPlaneLabel = (key: string): boolean => /^node-role\.kubernetes\.io\/(control-plane|master)$/.test(key);

/** Whether a pod can be scheduled to control planes alone: a selector, or all terms of its affinity, demand it. */
export function isPinned(pod: Fields): boolean {
  if (Object.keys(fields(pod['nodeSelector'])).some(isControlPlaneLabel)) return true;
  const affinity = fields(fields(pod['affinity'])['nodeAffinity']);
  const terms = items(fields(affinity['requiredDuringSchedulingIgnoredDuringExecution'])['nodeSelectorTerms']);
  const demands = (term: Fields): boolean =>
    items(term['matchExpressions']).some((one) => one['operator'] === 'Exists' && isControlPlaneLabel(text(one['key'])));
  return terms.length > 0 && terms.every(demands);
}
