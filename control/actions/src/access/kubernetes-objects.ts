import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';
import { MACHINE_STATE_ANNOTATION } from '@kopsctl/node-plan/machine-state.ts';
import { printable } from '../follow/printable.ts';

/** kops's annotation by which people, and addons that changed, ask for a Node's machine to be replaced. */
export const NEEDS_UPDATE = 'kops.k8s.io/needs-update';

export interface NodeCondition {
  readonly type: string;
  readonly status: string;
  readonly message?: string;
  /** When it became so, in ms since 1970. */
  readonly sinceMs?: number;
}

/** The few fields of Nodes and Pods that validation reads (Kubernetes core/v1). Texts can be printed. */
export interface NodeStatus {
  readonly name: string;
  readonly machineId: string | undefined;
  readonly conditions: readonly NodeCondition[];
  /** The zone that its labels name. */
  readonly zone?: string;
  readonly hostname?: string;
  /** Its addresses within the cluster's network. */
  readonly internalAddresses?: readonly string[];
  /** What its protokube says, as it says it. */
  readonly state?: string;
  /** A person or an addon wants its machine to be replaced. */
  readonly needsUpdate?: boolean;
}

export interface PodStatus {
  readonly name: string;
  readonly namespace: string;
  readonly priorityClassName: string | undefined;
  /** The Node on which it runs, or is to run. */
  readonly node?: string;
  readonly phase: string;
  /** When its kubelet began with it, in ms since 1970. */
  readonly startedMs?: number;
  readonly containers: readonly { readonly name: string; readonly ready: boolean }[];
}

/** A Deployment, DaemonSet or StatefulSet, and how many of its pods are ready (Kubernetes apps/v1). */
export interface WorkloadStatus {
  readonly kind: 'Deployment' | 'DaemonSet' | 'StatefulSet';
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly wanted: number;
  readonly ready: number;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export const textsOf = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(asRecord(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

const countOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

export function readNode(object: JsonObject): NodeStatus {
  const [metadata, status] = [asRecord(object['metadata']), asRecord(object['status'])];
  const labels = textsOf(metadata['labels']);
  const zone = labels['topology.kubernetes.io/zone'] ?? labels['failure-domain.beta.kubernetes.io/zone'];
  const state = textsOf(metadata['annotations'])[MACHINE_STATE_ANNOTATION];
  const addresses = asArray(status['addresses']).map(asRecord);
  const addressesOf = (type: string) =>
    addresses.flatMap((one) => (one['type'] === type ? (asString(one['address']) ?? []) : []));
  const [hostname] = addressesOf('Hostname');
  return {
    name: asString(metadata['name']) ?? '',
    machineId: asString(asRecord(status['nodeInfo'])['machineID']),
    conditions: asArray(status['conditions']).map((condition) => {
      const { type = '', status: is = '', message, lastTransitionTime = '' } = textsOf(condition);
      const sinceMs = Date.parse(lastTransitionTime);
      return {
        type,
        status: is,
        ...(message === undefined ? {} : { message: printable(message) }),
        ...(Number.isNaN(sinceMs) ? {} : { sinceMs }),
      };
    }),
    internalAddresses: addressesOf('InternalIP'),
    ...(zone === undefined ? {} : { zone: printable(zone) }),
    ...(hostname === undefined ? {} : { hostname: printable(hostname) }),
    ...(state === undefined ? {} : { state }),
    ...(NEEDS_UPDATE in textsOf(metadata['annotations']) && { needsUpdate: true }),
  };
}

export function readPod(object: JsonObject): PodStatus {
  const [metadata, spec, status] = [asRecord(object['metadata']), asRecord(object['spec']), asRecord(object['status'])];
  const node = asString(spec['nodeName']);
  const startedAt = asString(status['startTime']);
  return {
    name: asString(metadata['name']) ?? '',
    namespace: asString(metadata['namespace']) ?? '',
    priorityClassName: asString(spec['priorityClassName']),
    ...(node === undefined ? {} : { node }),
    phase: asString(status['phase']) ?? 'Unknown',
    ...(startedAt !== undefined && { startedMs: Date.parse(startedAt) }),
    containers: asArray(status['containerStatuses'])
      .map(asRecord)
      .map(({ name, ready }) => ({ name: asString(name) ?? '', ready: ready === true })),
  };
}

export const workloadOf = (kind: WorkloadStatus['kind']) => (object: JsonObject) => readWorkload(kind, object);

function readWorkload(kind: WorkloadStatus['kind'], object: JsonObject): WorkloadStatus {
  const [metadata, spec, status] = [asRecord(object['metadata']), asRecord(object['spec']), asRecord(object['status'])];
  const isDaemonSet = kind === 'DaemonSet';
  return {
    kind,
    namespace: asString(metadata['namespace']) ?? '',
    name: asString(metadata['name']) ?? '',
    labels: textsOf(metadata['labels']),
    wanted: countOf(isDaemonSet ? status['desiredNumberScheduled'] : spec['replicas']),
    ready: countOf(isDaemonSet ? status['numberReady'] : status['readyReplicas']),
  };
}
