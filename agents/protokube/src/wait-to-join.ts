import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { kubeClient } from './kube/client.ts';

/** What a bootstrap token lets its holder read (ClusterRole system:node-bootstrapper), so reading it proves the token. */
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests?limit=1';

/** A refused connection costs nothing, and a server far away sends no event when it comes up. */
const RETRY_MS = 400;
/** After that kubelet is started all the same: it goes on trying by itself. */
const PATIENCE_MS = 5 * 60 * 1000;

/**
 * Waits until the API server takes the bootstrap token, for kubelet's ExecStartPre: kubelet doubles its pause after
 * each failed attempt, so one that is started too early joins up to half a minute late. A machine that has joined
 * before is not kept.
 */
export async function waitToJoin(bootstrapKubeconfig: string): Promise<number> {
  const joined = join(dirname(bootstrapKubeconfig), 'pki/kubelet-client-current.pem');
  if (existsSync(joined)) return 0;
  const client = kubeClient(bootstrapKubeconfig);
  const ended = new AbortController();
  process.once('SIGTERM', () => ended.abort());
  const deadline = performance.now() + PATIENCE_MS;
  let why = '';
  while (performance.now() < deadline && !ended.signal.aborted) {
    try {
      await client.get(REQUESTS, ended.signal);
      return 0;
    } catch (error) {
      why = messageOf(error);
    }
    await sleep(RETRY_MS, undefined, { signal: ended.signal }).catch(() => undefined);
  }
  process.stderr.write(`<4>protokube: kubelet is started though the API server does not take its token yet: ${why}\n`);
  return 0;
}
