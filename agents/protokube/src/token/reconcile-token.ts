import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { secretPath } from '@kopsctl/state-store/stored-secret.ts';
import type { KubeClient } from '../kube/client.ts';
import type { Leadership } from '../leader/reconcile-lease.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import { parseStoredToken, tokenSecret } from './plan-token.ts';

/** A rotated or deleted token is corrected within this time. */
const LOOK_AGAIN_MS = 60_000;

/**
 * Published by a controller of kube-controller-manager (root-ca-cert-publisher). Its lease would not do: a controller
 * manager without leader election has none, and one that has just got it has not started its controllers yet.
 */
const SIGNER_SIGN = '/api/v1/namespaces/kube-system/configmaps/kube-root-ca.crt';
/** A poll, not a watch: the wait happens only while a cluster starts, and ends with the first event. */
const SIGNER_RETRY_MS = 100;

export interface TokenEnv {
  readonly cluster: string;
  readonly store: StateStore;
  readonly kube: KubeClient;
  readonly leadership: Leadership;
  readonly log: Log;
}

/** While this machine leads, keeps the bootstrap token of the state store in the cluster. */
export async function reconcileToken(secretName: string, env: TokenEnv, signal: AbortSignal): Promise<void> {
  const wake = new Wake();
  env.leadership.ringOnChange(wake);
  let saidId = '';
  while (!signal.aborted) {
    const id = await env.leadership.whileLeading(signal, (term) => keepToken(secretName, env, term));
    if (id !== undefined && id !== saidId) {
      env.log.info('nodes can join', { tokenId: id });
      saidId = id;
    }
    await wake.wait(LOOK_AGAIN_MS, signal);
  }
}

/** Writes the token to the cluster; returns its public id. */
async function keepToken(secretName: string, env: TokenEnv, signal: AbortSignal): Promise<string> {
  const path = secretPath(env.cluster, secretName);
  const stored = await env.store.read(path, signal);
  const token = stored && parseStoredToken(stored.bytes);
  if (token === undefined) {
    const why = stored === undefined ? 'does not exist' : 'holds no token of the form abcdef.0123456789abcdef';
    throw new ActionableError({
      what: `keep the bootstrap token of ${env.cluster}`,
      why: `${path} in ${env.store.url} ${why}`,
      next: '`kopsctl apply` writes it; new nodes cannot join until then',
    });
  }
  await signerRuns(env.kube, signal);
  const secret = tokenSecret(token);
  await env.kube.apply(secret.path, secret.object, signal);
  return token.id;
}

/**
 * Waits until the controllers of a controller manager run: one of them signs the certificates that token holders
 * request. A worker that tries to join before that fails, and doubles its pause between attempts.
 */
async function signerRuns(kube: KubeClient, signal: AbortSignal): Promise<void> {
  while ((await kube.get(SIGNER_SIGN, signal)) === undefined) await sleep(SIGNER_RETRY_MS, undefined, { signal });
}
