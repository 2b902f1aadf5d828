import type { KubeClient } from './client.ts';
import { asRecord, asString } from './json.ts';

/** The version of Kubernetes that the API server runs, such as `v1.36.2`. */
export async function serverVersion(kube: KubeClient, signal: AbortSignal): Promise<string> {
  const version = asString(asRecord(await kube.get('/version', signal))['gitVersion']);
  if (version === undefined)
    throw new Error('cannot GET /version: the answer does not say which version the server has');
  return version;
}
