import type { ApiServerHold } from '@kopsctl/agent/api-server.ts';
import type { RestorePhase, RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';

export interface ObservedApiServer {
  /** The restore of one etcd cluster, in progress or finished. */
  readonly record?: RestoreRecord;
  /** How the API server here is held on behalf of that etcd cluster. */
  readonly hold: ApiServerHold;
  readonly hasEnded: boolean;
}

export type ApiServerStep = { readonly summary: string } & (
  | { readonly action: 'nothing' | 'wait' | 'hold' | 'release' }
  /** Write the state of this API server into the record. */
  | { readonly action: 'report'; readonly state: 'ending' | 'ended' }
);

/** While etcd is restored to an older state, nobody may write to it or rely on what it returned before. */
const HELD_IN: readonly RestorePhase[] = ['stopping', 'saving', 'restoring', 'switching', 'starting'];

/**
 * Decides the next step for an API server on a machine without etcd during a restore. Invariant: the record says that
 * the API server is ending before it begins to end. So an etcd-manager that no longer finds it in etcd knows from the
 * record that it must wait for it.
 */
export function planApiServer(machine: string, { record, hold, hasEnded }: ObservedApiServer): ApiServerStep {
  if (record === undefined || !HELD_IN.includes(record.phase)) {
    // One that is held stays so: the restore before was given up, and the cluster that it made may yet come to serve.
    if (record?.phase === 'gathering' && hold !== 'undone') {
      return { action: 'wait', summary: 'wait for the restore to begin' };
    }
    if (hold !== 'none') return { action: 'release', summary: 'let the API server start again' };
    return { action: 'nothing', summary: 'no restore is in progress' };
  }
  const said = record.apiServers?.[machine];
  if (hold !== 'held' && said !== 'ending') {
    return { action: 'report', state: 'ending', summary: 'report that this API server is about to end' };
  }
  if (hold !== 'held') {
    return { action: 'hold', summary: 'stop the API server: nothing may be written while etcd is restored' };
  }
  if (hasEnded && said !== 'ended') {
    return { action: 'report', state: 'ended', summary: 'report that this API server has ended' };
  }
  return { action: 'wait', summary: hasEnded ? 'wait for etcd to be restored' : 'wait for the API server to end' };
}
