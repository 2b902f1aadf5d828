import { request } from 'node:https';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { AdminCredentials } from './admin-credentials.ts';

/** The few fields of Nodes and Pods that validation reads (Kubernetes core/v1). */
export interface NodeStatus {
  readonly metadata: { readonly name: string };
  readonly status?: {
    readonly nodeInfo?: { readonly machineID?: string };
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  };
}

export interface PodStatus {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec?: { readonly nodeName?: string; readonly priorityClassName?: string };
  readonly status?: {
    readonly phase?: string;
    readonly containerStatuses?: readonly { readonly name: string; readonly ready: boolean }[];
  };
}

/** What validation asks of an API server. */
export interface KubernetesApi {
  nodes(signal: AbortSignal): Promise<readonly NodeStatus[]>;
  systemPods(signal: AbortSignal): Promise<readonly PodStatus[]>;
}

const REQUEST_TIMEOUT_MS = 5_000;

/**
 * Two reads need no client library: @kubernetes/client-node takes 300 ms and 60 MiB to load, more than all
 * the rest of `validate`. The server is verified against the cluster's own CA.
 */
export function connectKubernetesApi(server: string, credentials: AdminCredentials): KubernetesApi {
  const get = async <T>(path: string, signal: AbortSignal): Promise<readonly T[]> => {
    const body = await new Promise<string>((resolve, reject) => {
      const call = request(
        new URL(path, server),
        {
          ca: credentials.caPem,
          cert: credentials.certificatePem,
          key: credentials.privateKeyPem,
          timeout: REQUEST_TIMEOUT_MS,
          signal,
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            if (response.statusCode === 200) resolve(text);
            else reject(new Error(`the API server answered ${response.statusCode}: ${text.slice(0, 200)}`));
          });
        },
      );
      call.on('timeout', () => call.destroy(new Error(`no answer within ${REQUEST_TIMEOUT_MS} ms`)));
      call.on('error', reject);
      call.end();
    }).catch((error: unknown) => {
      throw new ActionableError({
        what: `ask the Kubernetes API at ${server}`,
        why: messageOf(error),
        next: 'wait until a control-plane machine is up: `kopsctl validate cluster --wait 10m`',
        cause: error,
      });
    });
    // The API server's word on its own types is trusted; every field read from it is optional above.
    return (JSON.parse(body) as { items: readonly T[] }).items;
  };
  return {
    nodes: (signal) => get<NodeStatus>('/api/v1/nodes', signal),
    systemPods: (signal) => get<PodStatus>('/api/v1/namespaces/kube-system/pods', signal),
  };
}
