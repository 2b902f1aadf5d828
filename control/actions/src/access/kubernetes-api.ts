import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { openKubeClient, type KubeClient } from '@kopsctl/kube/client.ts';
import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';
import { listObjects } from '@kopsctl/kube/list-objects.ts';
import type { ApiAddress } from '@kopsctl/model/cloud.ts';
import { MACHINE_STATE_ANNOTATION } from '@kopsctl/node-plan/machine-state.ts';
import { printable } from '../follow/printable.ts';
import type { AdminCredentials } from './admin-credentials.ts';

/** The few fields of Nodes and Pods that validation reads (Kubernetes core/v1). Texts can be printed. */
export interface NodeStatus {
  readonly name: string;
  readonly machineId: string | undefined;
  readonly conditions: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  /** The zone that its labels name. */
  readonly zone?: string;
  readonly hostname?: string;
  /** Its addresses within the cluster's network. */
  readonly internalAddresses?: readonly string[];
  /** What its protokube says, as it says it. */
  readonly state?: string;
}

export interface PodStatus {
  readonly name: string;
  readonly namespace: string;
  readonly priorityClassName: string | undefined;
  readonly phase: string;
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

/** What this suite asks of an API server from outside. */
export interface KubernetesApi {
  nodes(signal: AbortSignal): Promise<readonly NodeStatus[]>;
  systemPods(signal: AbortSignal): Promise<readonly PodStatus[]>;
  /** Those of all namespaces. */
  workloads(signal: AbortSignal): Promise<readonly WorkloadStatus[]>;
  /** What a ConfigMap of kube-system holds; empty where there is none. */
  systemConfigMap(name: string, signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  /** The annotations of the Namespace kube-system, in which kops's channels note what they applied. */
  systemAnnotations(signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  /** The addresses behind a Service that are ready; undefined where there is no such Service. */
  readyAddresses(
    service: { readonly namespace: string; readonly name: string },
    signal: AbortSignal,
  ): Promise<readonly string[] | undefined>;
}

/** A server that needs longer for a page of 500 objects serves nobody. */
const REQUEST_TIMEOUT_MS = 10_000;

/** Every request that is sent to an API server as its administrator. Does not connect yet. The server is verified against the cluster's own CA. */
export const connectKube = (address: ApiAddress, credentials: AdminCredentials): KubeClient =>
  openKubeClient(async () => ({
    server: address.server,
    ca: credentials.caPem,
    cert: credentials.certificatePem,
    key: credentials.privateKeyPem,
    ...(address.tlsServerName === undefined ? {} : { tlsServerName: address.tlsServerName }),
  }));

/** The questions of this suite; each has a deadline and is ended by it. */
export function connectKubernetesApi(
  address: ApiAddress,
  kube: Pick<KubeClient, 'get'>,
  limitMs = REQUEST_TIMEOUT_MS,
): KubernetesApi {
  const ask = async <T>(question: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> => {
    const late = AbortSignal.timeout(limitMs);
    try {
      return await question(AbortSignal.any([signal, late]));
    } catch (error) {
      signal.throwIfAborted();
      throw new ActionableError({
        what: `ask the Kubernetes API at ${address.server}`,
        why: late.aborted ? `no answer within ${limitMs / 1000} s` : printable(messageOf(error)),
        next: 'wait until a control-plane machine is up: `kopsctl validate cluster --wait 10m`',
        cause: error,
      });
    }
  };
  const list = async <T>(path: string, read: (object: JsonObject) => T, signal: AbortSignal): Promise<readonly T[]> => {
    const found: T[] = [];
    await listObjects(kube, path, signal, (object) => found.push(read(asRecord(object))));
    return found;
  };
  return {
    nodes: (signal) => ask((within) => list('/api/v1/nodes', readNode, within), signal),
    systemPods: (signal) => ask((within) => list('/api/v1/namespaces/kube-system/pods', readPod, within), signal),
    workloads: (signal) =>
      ask(
        async (within) =>
          (
            await Promise.all([
              list('/apis/apps/v1/deployments', (object) => readWorkload('Deployment', object), within),
              list('/apis/apps/v1/daemonsets', (object) => readWorkload('DaemonSet', object), within),
              list('/apis/apps/v1/statefulsets', (object) => readWorkload('StatefulSet', object), within),
            ])
          ).flat(),
        signal,
      ),
    systemConfigMap: (name, signal) =>
      ask(async (within) => {
        const found = await kube.get(`/api/v1/namespaces/kube-system/configmaps/${encodeURIComponent(name)}`, within);
        return textsOf(asRecord(found)['data']);
      }, signal),
    systemAnnotations: (signal) =>
      ask(async (within) => {
        const namespace = asRecord(await kube.get('/api/v1/namespaces/kube-system', within));
        return textsOf(asRecord(namespace['metadata'])['annotations']);
      }, signal),
    readyAddresses: ({ namespace, name }, signal) =>
      ask(async (within) => {
        const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}`;
        const service = await kube.get(`${path}/services/${encodeURIComponent(name)}`, within);
        if (service === undefined) return undefined;
        const endpoints = asRecord(await kube.get(`${path}/endpoints/${encodeURIComponent(name)}`, within));
        return asArray(endpoints['subsets']).flatMap((subset) =>
          asArray(asRecord(subset)['addresses']).flatMap((address) => asString(asRecord(address)['ip']) ?? []),
        );
      }, signal),
  };
}

type JsonObject = Readonly<Record<string, unknown>>;

const textsOf = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(asRecord(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

const countOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

function readNode(object: JsonObject): NodeStatus {
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
      const { type, status: is, message } = textsOf(condition);
      return { type: type ?? '', status: is ?? '', ...(message === undefined ? {} : { message: printable(message) }) };
    }),
    internalAddresses: addressesOf('InternalIP'),
    ...(zone === undefined ? {} : { zone: printable(zone) }),
    ...(hostname === undefined ? {} : { hostname: printable(hostname) }),
    ...(state === undefined ? {} : { state }),
  };
}

function readPod(object: JsonObject): PodStatus {
  const [metadata, spec, status] = [asRecord(object['metadata']), asRecord(object['spec']), asRecord(object['status'])];
  return {
    name: asString(metadata['name']) ?? '',
    namespace: asString(metadata['namespace']) ?? '',
    priorityClassName: asString(spec['priorityClassName']),
    phase: asString(status['phase']) ?? 'Unknown',
    containers: asArray(status['containerStatuses'])
      .map(asRecord)
      .map(({ name, ready }) => ({ name: asString(name) ?? '', ready: ready === true })),
  };
}

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
