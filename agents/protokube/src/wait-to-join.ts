import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { kubeClient } from './kube/client.ts';

/** The holder of a bootstrap token may read these (ClusterRole system:node-bootstrapper), so reading them tests the token. */
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests?limit=1';

/** A refused connection is cheap, and a remote server sends no event when it starts. */
const RETRY_MS = 400;
/** After this time kubelet is started anyway: it keeps trying by itself. */
const PATIENCE_MS = 5 * 60 * 1000;

/**
 * Waits until the API server accepts the bootstrap token, as kubelet's ExecStartPre: kubelet doubles its pause after
 * each failed attempt, so a kubelet that is started too early joins up to half a minute late. A machine that has already
 * joined does not wait.
 */
export async function waitToJoin(
  bootstrapKubeconfig: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const joined = join(dirname(bootstrapKubeconfig), 'pki/kubelet-client-current.pem');
  if (existsSync(joined)) return 0;
  const client = kubeClient(bootstrapKubeconfig);
  const ended = new AbortController();
  process.once('SIGTERM', () => ended.abort());
  const deadline = performance.now() + PATIENCE_MS;
  let last: unknown;
  while (performance.now() < deadline && !ended.signal.aborted) {
    try {
      await client.get(REQUESTS, ended.signal);
      return 0;
    } catch (error) {
      last = error;
    }
    await sleep(RETRY_MS, undefined, { signal: ended.signal }).catch(() => undefined);
  }
  const { processLog } = await import('@kopsctl/agent/log.ts');
  processLog(env, 'protokube').warn('kubelet is started, but the API server does not accept its token yet', {
    error: last,
  });
  return 0;
}
