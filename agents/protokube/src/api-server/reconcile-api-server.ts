import type { ApiServer } from '@kopsctl/agent/api-server.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { jittered } from '@kopsctl/agent/wake.ts';
import { readRestore, writeRestore, type StoredRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiServerStep, planApiServer } from './plan-api-server.ts';

/** A restore waits for this machine, and no event tells it of one. Each poll is one request to the store. */
const IDLE_POLL_MS = 5_000;
const RESTORING_POLL_MS = 500;

export interface ApiServerEnv {
  readonly store: StateStore;
  readonly apiServer: ApiServer;
  readonly log: Log;
}

/** Stops the API server of a machine without etcd while an etcd cluster is restored, and starts it again. */
export async function reconcileApiServer(
  machine: string,
  { etcdCluster, backupPath }: { readonly etcdCluster: string; readonly backupPath: string },
  env: ApiServerEnv,
  signal: AbortSignal,
): Promise<void> {
  let said = '';
  while (!signal.aborted) {
    const stored = await readRestore(env.store, backupPath, signal);
    const observed = await env.apiServer.observe(etcdCluster);
    const step = planApiServer(machine, { ...(stored && { record: stored.record }), ...observed });
    if (step.summary !== said && step.action !== 'nothing') env.log.info(step.action, { summary: step.summary });
    said = step.summary;
    await act(step, stored);
    if (step.action === 'nothing' || step.action === 'wait') {
      const pollMs = step.action === 'nothing' ? IDLE_POLL_MS : RESTORING_POLL_MS;
      await sleep(jittered(pollMs), undefined, { signal });
    }
  }

  async function act(step: ApiServerStep, stored: StoredRecord | undefined): Promise<void> {
    switch (step.action) {
      case 'nothing':
      case 'wait':
        return;
      case 'hold':
        return env.apiServer.hold(etcdCluster);
      case 'release':
        return env.apiServer.release(etcdCluster);
      case 'report': {
        if (stored === undefined) return;
        const apiServers = { ...stored.record.apiServers, [machine]: step.state };
        try {
          await writeRestore(env.store, backupPath, { ...stored.record, apiServers }, stored, signal);
        } catch (error) {
          // Another machine has changed the record: read it again.
          if (!(error instanceof ConflictError)) throw error;
        }
      }
    }
  }
}
