import type { JsonObject } from '@kopsctl/tasks/task.ts';

/** A folder or file of the machine as a volume. */
export const hostPath = (name: string, path: string, type?: string): JsonObject => ({
  name,
  hostPath: { path, ...(type === undefined ? {} : { type }) },
});

/** An environment variable whose value is a field of the pod. */
export const fieldVariable = (name: string, fieldPath: string): JsonObject => ({
  name,
  valueFrom: { fieldRef: { fieldPath } },
});

/** Environment variables from a record. Kubernetes accepts only strings as values. */
export const variables = (values: Readonly<Record<string, string | number | boolean | undefined>>): JsonObject[] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value: String(value) }]));

/** Spreads pods over zones and machines. */
export const spread = (matchLabels: Readonly<Record<string, string>>): JsonObject[] =>
  ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].map((topologyKey) => ({
    labelSelector: { matchLabels },
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable: 'ScheduleAnyway',
  }));

/** For pods that run on every machine, whatever its taints. */
export const EVERY_MACHINE: JsonObject = {
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  priorityClassName: 'system-node-critical',
  tolerations: [{ operator: 'Exists' }],
};
