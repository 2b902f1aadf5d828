import type { AppsV1Api, CoreV1Api, Middleware } from '@kubernetes/client-node';
import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { openKubeClient, type KubeClient } from '@kopsctl/kube/client.ts';
import type { KubeAccess } from '@kopsctl/kube/kubeconfig.ts';
import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';
import type { ApiAddress } from '@kopsctl/model/cloud.ts';
import { printable } from '../follow/printable.ts';
import type { AdminCredentials } from './admin-credentials.ts';
import {
  type JsonObject,
  type NodeStatus,
  type PodStatus,
  readNode,
  readPod,
  textsOf,
  type WorkloadStatus,
  workloadOf,
} from './kubernetes-objects.ts';

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
  openKubeClient(async () => kubeAccess(address, credentials));

/** How a client of this suite reaches the server as its administrator. */
export const kubeAccess = ({ server, tlsServerName }: ApiAddress, credentials: AdminCredentials): KubeAccess => ({
  server,
  ca: credentials.caPem,
  cert: credentials.certificatePem,
  key: credentials.privateKeyPem,
  ...(tlsServerName === undefined ? {} : { tlsServerName }),
});

/** The questions of this suite; each has a deadline, which ends it. The first one loads the client library. */
export function connectKubernetesApi(
  address: ApiAddress,
  credentials: AdminCredentials,
  limitMs = REQUEST_TIMEOUT_MS,
): KubernetesApi {
  const ask = async <T>(question: (apis: Apis) => Promise<T>, signal: AbortSignal): Promise<T> => {
    const late = AbortSignal.timeout(limitMs);
    try {
      return await question(await openApis(address, credentials, AbortSignal.any([signal, late])));
    } catch (error) {
      signal.throwIfAborted();
      throw new ActionableError({
        what: `ask the Kubernetes API at ${address.server}`,
        why: late.aborted ? `no answer within ${limitMs / 1000} s` : printable(withCause(error)),
        next: 'wait until a control-plane machine is up: `kopsctl validate cluster --wait 10m`',
        cause: error,
      });
    }
  };
  const namespace = 'kube-system';
  return {
    nodes: (signal) => ask(({ core }) => listed((page) => core.listNode(page), readNode), signal),
    systemPods: (signal) =>
      ask(({ core }) => listed((page) => core.listNamespacedPod({ namespace, ...page }), readPod), signal),
    workloads: (signal) =>
      ask(async ({ apps }) => {
        const found = await Promise.all([
          listed((page) => apps.listDeploymentForAllNamespaces(page), workloadOf('Deployment')),
          listed((page) => apps.listDaemonSetForAllNamespaces(page), workloadOf('DaemonSet')),
          listed((page) => apps.listStatefulSetForAllNamespaces(page), workloadOf('StatefulSet')),
        ]);
        return found.flat();
      }, signal),
    systemConfigMap: (name, signal) =>
      ask(async ({ core }) => {
        const found = await ifThere(core.readNamespacedConfigMap({ name, namespace }));
        return textsOf(found?.data);
      }, signal),
    systemAnnotations: (signal) =>
      ask(async ({ core }) => textsOf((await core.readNamespace({ name: namespace })).metadata?.annotations), signal),
    readyAddresses: (service, signal) =>
      ask(async ({ core }) => {
        if ((await ifThere(core.readNamespacedService(service))) === undefined) return undefined;
        const endpoints = asRecord(await ifThere(core.readNamespacedEndpoints(service)));
        return asArray(endpoints['subsets']).flatMap((subset) =>
          asArray(asRecord(subset)['addresses']).flatMap((one) => asString(asRecord(one)['ip']) ?? []),
        );
      }, signal),
  };
}

/** `fetch` itself says only that it failed; its cause says which name is not known, or who refused the connection. */
function withCause(error: unknown): string {
  if (!(error instanceof Error && error.cause instanceof Error)) return messageOf(error);
  // Where a name has several addresses and all refuse, the cause has a code and no message.
  const cause = error.cause.message === '' ? codeOf(error.cause) : error.cause.message;
  return cause === undefined ? error.message : `${error.message}: ${cause}`;
}

interface Apis {
  readonly core: CoreV1Api;
  readonly apps: AppsV1Api;
}

/** Clients whose requests end with the signal. The library takes 300 ms to load. */
async function openApis(
  { server, tlsServerName }: ApiAddress,
  credentials: AdminCredentials,
  signal: AbortSignal,
): Promise<Apis> {
  const { AppsV1Api, CoreV1Api, createConfiguration, KubeConfig, ServerConfiguration } =
    await import('@kubernetes/client-node');
  signal.throwIfAborted();
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
  const ending: Middleware = {
    async pre(request) {
      request.setSignal(signal);
      return request;
    },
    post: async (answer) => answer,
  };
  const configuration = createConfiguration({
    baseServer: new ServerConfiguration(server, {}),
    authMethods: { default: config },
    promiseMiddleware: [ending],
  });
  return { core: new CoreV1Api(configuration), apps: new AppsV1Api(configuration) };
}

/** The page size: all pods of a large cluster at once are more than an API server likes to send. */
const PAGE = 500;

/** All pages of a list. The library does not check what it returns: each object is read field by field. */
async function listed<T>(
  ask: (page: { readonly limit: number; readonly _continue?: string }) => Promise<{
    readonly items: readonly unknown[];
    readonly metadata?: { readonly _continue?: string };
  }>,
  read: (object: JsonObject) => T,
): Promise<readonly T[]> {
  const found: T[] = [];
  let next: string | undefined;
  do {
    const { items, metadata = {} } = await ask({ limit: PAGE, ...(next === undefined ? {} : { _continue: next }) });
    for (const object of items) found.push(read(asRecord(object)));
    ({ _continue: next } = metadata);
  } while (next !== undefined && next !== '');
  return found;
}

/** Undefined where the API server has no such object. */
async function ifThere<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 404) return undefined;
    throw error;
  }
}
