import type { AppsV1Api, CoreV1Api, V1ObjectMeta } from '@kubernetes/client-node';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { MACHINE_STATE_ANNOTATION } from '@kopsctl/node-plan/machine-state.ts';
import { printable } from '../follow/printable.ts';
import type { AdminCredentials } from './admin-credentials.ts';
import type { ApiAddress } from '@kopsctl/model/cloud.ts';

/** The few fields of Nodes and Pods that validation reads (Kubernetes core/v1). */
export interface NodeStatus {
  readonly name: string;
  readonly machineId: string | undefined;
  readonly conditions: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
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
}

const REQUEST_TIMEOUT_MS = 5_000;

/**
 * Does not connect yet: the client library takes 300 ms to load, so it is loaded by the first request. The server is
 * verified against the cluster's own CA.
 */
export function connectKubernetesApi(address: ApiAddress, credentials: AdminCredentials): KubernetesApi {
  let opened: Promise<Apis> | undefined;
  const ask = async <T>(question: (apis: Apis) => Promise<T>, signal: AbortSignal): Promise<T> => {
    try {
      const apis = await (opened ??= openApis(address, credentials));
      return await within(question(apis), signal);
    } catch (error) {
      signal.throwIfAborted();
      throw new ActionableError({
        what: `ask the Kubernetes API at ${address.server}`,
        why: messageOf(error),
        next: 'wait until a control-plane machine is up: `kopsctl validate cluster --wait 10m`',
        cause: error,
      });
    }
  };
  return {
    nodes: (signal) => ask(listNodes, signal),
    systemPods: (signal) => ask(listSystemPods, signal),
    workloads: (signal) => ask(listWorkloads, signal),
    systemConfigMap: (name, signal) => ask((apis) => readSystemConfigMap(apis, name), signal),
  };
}

async function listNodes({ core }: Apis): Promise<readonly NodeStatus[]> {
  const { items } = await core.listNode();
  return items.map(({ metadata, status }) => ({
    name: metadata?.name ?? '',
    machineId: status?.nodeInfo?.machineID,
    ...stateOf(metadata?.annotations?.[MACHINE_STATE_ANNOTATION]),
    conditions: (status?.conditions ?? []).map(({ type, status, message }) => ({
      type,
      status,
      ...(message === undefined ? {} : { message: printable(message) }),
    })),
  }));
}

async function listSystemPods({ core }: Apis): Promise<readonly PodStatus[]> {
  const { items } = await core.listNamespacedPod({ namespace: 'kube-system' });
  return items.map(({ metadata, spec, status }) => ({
    name: metadata?.name ?? '',
    namespace: metadata?.namespace ?? '',
    priorityClassName: spec?.priorityClassName,
    phase: status?.phase ?? 'Unknown',
    containers: (status?.containerStatuses ?? []).map(({ name, ready }) => ({ name, ready })),
  }));
}

async function listWorkloads({ apps }: Apis): Promise<readonly WorkloadStatus[]> {
  const [deployments, daemonSets, statefulSets] = await Promise.all([
    apps.listDeploymentForAllNamespaces(),
    apps.listDaemonSetForAllNamespaces(),
    apps.listStatefulSetForAllNamespaces(),
  ]);
  return [
    ...deployments.items.map(({ metadata, spec, status }) =>
      workload('Deployment', metadata, spec?.replicas, status?.readyReplicas),
    ),
    ...daemonSets.items.map(({ metadata, status }) =>
      workload('DaemonSet', metadata, status?.desiredNumberScheduled, status?.numberReady),
    ),
    ...statefulSets.items.map(({ metadata, spec, status }) =>
      workload('StatefulSet', metadata, spec?.replicas, status?.readyReplicas),
    ),
  ];
}

async function readSystemConfigMap({ core }: Apis, name: string): Promise<Readonly<Record<string, string>>> {
  const fieldSelector = `metadata.name=${name}`;
  const { items } = await core.listNamespacedConfigMap({ namespace: 'kube-system', fieldSelector });
  return items[0]?.data ?? {};
}

const stateOf = (state: string | undefined) => (state === undefined ? {} : { state });

const workload = (
  kind: WorkloadStatus['kind'],
  { namespace = '', name = '', labels = {} }: V1ObjectMeta = {},
  wanted = 0,
  ready = 0,
): WorkloadStatus => ({ kind, namespace, name, labels, wanted, ready });

interface Apis {
  readonly core: CoreV1Api;
  readonly apps: AppsV1Api;
}

async function openApis({ server, tlsServerName }: ApiAddress, credentials: AdminCredentials): Promise<Apis> {
  const { KubeConfig, CoreV1Api, AppsV1Api } = await import('@kubernetes/client-node');
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [
      {
        name: 'cluster',
        server,
        caData: base64(credentials.caPem),
        ...(tlsServerName === undefined ? {} : { tlsServerName }),
      },
    ],
    users: [
      { name: 'admin', certData: base64(credentials.certificatePem), keyData: base64(credentials.privateKeyPem) },
    ],
    contexts: [{ name: 'context', cluster: 'cluster', user: 'admin' }],
    currentContext: 'context',
  });
  return { core: config.makeApiClient(CoreV1Api), apps: config.makeApiClient(AppsV1Api) };
}

/** The library takes no signal: an answer that comes too late, or after the end, is dropped. */
async function within<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  const ended = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);
  const gaveUp = Promise.withResolvers<never>();
  const giveUp = (): void =>
    gaveUp.reject(signal.aborted ? signal.reason : new Error(`no answer within ${REQUEST_TIMEOUT_MS} ms`));
  ended.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([answer, gaveUp.promise]);
  } finally {
    ended.removeEventListener('abort', giveUp);
  }
}
