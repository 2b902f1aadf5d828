import type { CoreV1Api } from '@kubernetes/client-node';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { MACHINE_STATE_ANNOTATION } from '@kopsctl/node-plan/machine-state.ts';
import type { AdminCredentials } from './admin-credentials.ts';
import type { ApiAddress } from './running/running-cluster.ts';

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

/** What validation asks of an API server. */
export interface KubernetesApi {
  nodes(signal: AbortSignal): Promise<readonly NodeStatus[]>;
  systemPods(signal: AbortSignal): Promise<readonly PodStatus[]>;
  /** What a ConfigMap of kube-system holds; empty where there is none. */
  systemConfigMap(name: string, signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
}

const REQUEST_TIMEOUT_MS = 5_000;

/**
 * Opens nothing yet. The client library takes 300 ms to load, so it is loaded at the first question; the server is
 * verified against the cluster's own CA.
 */
export function connectKubernetesApi(address: ApiAddress, credentials: AdminCredentials): KubernetesApi {
  let opened: Promise<CoreV1Api> | undefined;
  const ask = async <T>(question: (api: CoreV1Api) => Promise<T>, signal: AbortSignal): Promise<T> => {
    try {
      const api = await (opened ??= openCoreApi(address, credentials));
      return await within(question(api), signal);
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
    nodes: (signal) =>
      ask(async (api) => {
        const { items } = await api.listNode();
        return items.map(({ metadata, status }) => ({
          name: metadata?.name ?? '',
          machineId: status?.nodeInfo?.machineID,
          ...stateOf(metadata?.annotations?.[MACHINE_STATE_ANNOTATION]),
          conditions: (status?.conditions ?? []).map(({ type, status, message }) => ({
            type,
            status,
            ...(message === undefined ? {} : { message }),
          })),
        }));
      }, signal),
    systemConfigMap: (name, signal) =>
      ask(async (api) => {
        const fieldSelector = `metadata.name=${name}`;
        const { items } = await api.listNamespacedConfigMap({ namespace: 'kube-system', fieldSelector });
        return items[0]?.data ?? {};
      }, signal),
    systemPods: (signal) =>
      ask(async (api) => {
        const { items } = await api.listNamespacedPod({ namespace: 'kube-system' });
        return items.map(({ metadata, spec, status }) => ({
          name: metadata?.name ?? '',
          namespace: metadata?.namespace ?? '',
          priorityClassName: spec?.priorityClassName,
          phase: status?.phase ?? 'Unknown',
          containers: (status?.containerStatuses ?? []).map(({ name, ready }) => ({ name, ready })),
        }));
      }, signal),
  };
}

const stateOf = (state: string | undefined) => (state === undefined ? {} : { state });

async function openCoreApi({ server, tlsServerName }: ApiAddress, credentials: AdminCredentials): Promise<CoreV1Api> {
  const { KubeConfig, CoreV1Api } = await import('@kubernetes/client-node');
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
  return config.makeApiClient(CoreV1Api);
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
