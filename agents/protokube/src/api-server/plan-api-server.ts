import type { ApiServerHold } from '@kopsctl/agent/api-server.ts';
import type { RestorePhase, RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';

export interface ObservedApiServer {
  /** The restore of one etcd cluster, under way or ended. */
  readonly record?: RestoreRecord;
  /** How the API server here is held on behalf of that etcd cluster. */
  readonly hold: ApiServerHold;
  readonly hasEnded: boolean;
}

export type ApiServerStep = { readonly summary: string } & (
  | { readonly action: 'nothing' | 'wait' | 'hold' | 'release' }
  /** Say in the record how far the API server here is. */
  | { readonly action: 'say'; readonly state: 'ending' | 'ended' }
);

/** While etcd goes back in time nobody may write to it, nor believe what it said before. */
const HELD_IN: readonly RestorePhase[] = ['stopping', 'saving', 'restoring', 'starting'];

/**
 * Decides the next step of an API server on a machine without etcd during a restore. Invariant: the record says that it
 * ends before it begins to, so that whoever sees no API server in etcd any more sees here whom to wait for.
 */
export function planApiServer(machine: string, { record, hold, hasEnded }: ObservedApiServer): ApiServerStep {
  if (record === undefined || !HELD_IN.includes(record.phase)) {
    if (hold !== 'none') return { action: 'release', summary: 'let the API server start again' };
    if (record?.phase === 'gathering') return { action: 'wait', summary: 'wait for the restore to begin' };
    return { action: 'nothing', summary: 'no restore is under way' };
  }
  const said = record.apiServers?.[machine];
  if (hold !== 'held' && said !== 'ending') {
    return { action: 'say', state: 'ending', summary: 'say that the API server here has to end' };
  }
  if (hold !== 'held') {
    return { action: 'hold', summary: 'stop the API server: nothing may be written while etcd goes back' };
  }
  if (hasEnded && said !== 'ended') {
    return { action: 'say', state: 'ended', summary: 'say that the API server here has ended' };
  }
  return { action: 'wait', summary: hasEnded ? 'wait for etcd to be restored' : 'wait for the API server to end' };
}
