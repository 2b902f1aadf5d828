import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { hasEnded, readRestore } from '@kopsctl/state-store/etcd/restore-record.ts';
import { ConflictError } from '@kopsctl/state-store/store.ts';
import { readMember } from '../observe-cluster.ts';
import { actRestore } from './act-restore.ts';
import { observeRestore } from './observe-restore.ts';
import { gateOf, planRestore } from './plan-restore.ts';
import type { RestoreEnv } from './restore-env.ts';

/** No store tells us that something was written, and the API is away while machines wait for each other. One small
 *  object is read: a store that charges for it takes two cents a day. */
const IDLE_POLL_MS = 2_000;
const UNDER_WAY_POLL_MS = 500;
/** A backup that cannot be used does not become better; a store that is away for a moment comes back. */
const MOST_TRIES = 3;

/**
 * Carries this machine's part of every restore on, from wherever it stands, and says what others may do to the etcd
 * here meanwhile. Runs beside the reconciler of the cluster, which starts what was restored.
 */
export async function reconcileRestores(
  config: EtcdClusterConfig,
  env: RestoreEnv,
  signal: AbortSignal,
): Promise<void> {
  const wake = new Wake();
  const tries: Tries = { token: '', count: 0 };
  let said = '';
  // What was held when this program ended is still held: no etcd starts before the store was asked.
  if ((await env.apiServer.observe(config.name)).isHeld) env.gate.set('stopped', 'held');
  while (!signal.aborted) {
    const volume = await readMember(config.mountPoint);
    const stored = volume && (await readRestore(env.store, config.backupPath, signal));
    if (volume === undefined || stored === undefined) {
      if (volume !== undefined) env.gate.set('free', 'none');
      await wake.wait(IDLE_POLL_MS, signal);
      continue;
    }
    const { token, phase } = stored.record;
    env.gate.set(gateOf(stored.record, volume.member), `${token} ${phase}`);
    const failure = tries.token === stored.record.token && tries.count >= MOST_TRIES ? tries.failure : undefined;
    const observed = await observeRestore(config, stored.record, volume, failure, env, signal);
    const step = planRestore(observed);
    const line = `restore ${stored.record.id}: ${step.action}: ${step.summary}`;
    if (line !== said && step.action !== 'nothing') env.log.info(line);
    said = line;
    try {
      await actRestore(step, stored, config, volume, env, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ConflictError) continue; // Somebody else has carried it on; look again.
      if (step.action !== 'restore') throw error;
      remember(tries, stored.record.token, messageOf(error));
      env.log.warn(`could not restore (try ${tries.count} of ${MOST_TRIES}): ${messageOf(error)}`);
    }
    const isIdle = step.action === 'nothing' && hasEnded(stored.record);
    if (step.action === 'wait' || step.action === 'hold-api-server') await wake.wait(UNDER_WAY_POLL_MS, signal);
    else if (isIdle) await wake.wait(IDLE_POLL_MS, signal);
  }
}

interface Tries {
  token: string;
  count: number;
  failure?: string;
}

function remember(tries: Tries, token: string, failure: string): void {
  tries.count = tries.token === token ? tries.count + 1 : 1;
  tries.token = token;
  tries.failure = failure;
}
