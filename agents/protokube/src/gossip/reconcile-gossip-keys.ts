import { readFile } from 'node:fs/promises';
import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';
import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';
import { parseSecret, printSecret, secretPath } from '@kopsctl/state-store/stored-secret.ts';
import type { Leadership } from '../leader/reconcile-lease.ts';
import { type GossipKey, parseKeys, printKeys } from './gossip-keys.ts';
import { planGossipKeys, type Revocations } from './plan-gossip-keys.ts';
import type { RevokedNode } from '../revocation/plan-revocation.ts';
import type { RunningRing } from './running-ring.ts';

/** Each step of a change takes this long to reach all control planes. Changes are rare. */
const LOOK_AGAIN_MS = 5 * 60_000;
const MEMBERS_SHOWN = 5;

export interface GossipKeysEnv {
  readonly cluster: string;
  readonly store: StateStore;
  readonly ring: Pick<RunningRing, 'use'>;
  /** Machines that a person has revoked. */
  readonly revoked: (signal: AbortSignal) => Promise<readonly RevokedNode[]>;
  readonly leadership: Leadership;
  readonly freshKey: () => Uint8Array;
  readonly nowMs: () => number;
  readonly log: Log;
}

/**
 * Keeps the keys of a ring on this control plane as the secret of the state store has them and, while this machine
 * leads, changes them there before they are used up, and when a machine that has them is revoked. All other machines get
 * the secret from an authority.
 */
export async function reconcileGossipKeys(
  { keysFile, secret }: { readonly keysFile: string; readonly secret: string },
  env: GossipKeysEnv,
  signal: AbortSignal,
): Promise<void> {
  using wake = new Wake();
  env.leadership.ringOnChange(wake);
  while (!signal.aborted) {
    const stored = await readKeys(secret, env, signal);
    await env.leadership.whileLeading(signal, (term) => changeKeys(secret, stored, env, term));
    const text = printKeys((await readKeys(secret, env, signal)).keys);
    if ((await readFile(keysFile, 'utf8')) !== text) await replaceFile(keysFile, text, { mode: 0o600 });
    await wake.wait(LOOK_AGAIN_MS, signal);
  }
}

interface StoredKeys {
  readonly keys: readonly GossipKey[];
  readonly version: string;
}

async function readKeys(name: string, { cluster, store }: GossipKeysEnv, signal: AbortSignal): Promise<StoredKeys> {
  const path = secretPath(cluster, name);
  const stored = await store.read(path, signal);
  const secret = stored && parseSecret(stored.bytes);
  if (stored !== undefined && secret !== undefined) {
    return { keys: parseKeys(secret.toString('utf8'), path), version: stored.version };
  }
  throw new ActionableError({
    what: `manage the gossip keys of ${cluster}`,
    why: `${path} ${stored === undefined ? 'is not' : 'holds no Data'} in ${store.url}`,
    next: '`kopsctl update cluster --yes` writes it',
  });
}

/** Carries out one step of a change, if one is due. */
async function changeKeys(
  name: string,
  { keys, version }: StoredKeys,
  { cluster, store, ring, revoked, freshKey, nowMs, log }: GossipKeysEnv,
  signal: AbortSignal,
): Promise<void> {
  const use = ring.use();
  if (use === undefined) return;
  const revocations = revocationsOf(await revoked(signal));
  const step = planGossipKeys(keys, use, freshKey(), nowMs(), revocations);
  if (step.action === 'wait') {
    if (step.warning !== undefined) log.warn('gossip key is nearly used up', { secret: name, why: step.warning });
    return;
  }
  try {
    const body = Buffer.from(printSecret(Buffer.from(printKeys(step.keys))));
    await store.write(secretPath(cluster, name), body, { ifVersion: version }, signal);
    log.info('gossip keys changed', { secret: name, step: step.action, keys: step.keys.length });
    if (step.without !== undefined) {
      const members = step.without.slice(0, MEMBERS_SHOWN).join(', ');
      log.warn('members are out of the ring until they have its key', {
        secret: name,
        count: step.without.length,
        members,
      });
    }
  } catch (error) {
    // A person has changed them meanwhile; the next look finds what they wrote.
    if (!(error instanceof ConflictError)) throw error;
  }
}

function revocationsOf(revoked: readonly RevokedNode[]): Revocations {
  const timesMs = revoked.flatMap(({ revokedAt }) => (revokedAt === undefined ? [] : Date.parse(revokedAt)));
  const lastMs = timesMs.length === 0 ? undefined : Math.max(...timesMs);
  return { nodes: new Set(revoked.map(({ node }) => node)), lastMs };
}
