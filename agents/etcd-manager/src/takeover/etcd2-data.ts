import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { StoppedData } from '@kopsctl/state-store/etcd/restore-record.ts';
import type { RestoreEnv } from '../restore/restore-env.ts';
import { dataFolder, hasDatabase, tokensWithLog } from '../restore/data-folders.ts';
import { startedPath } from '../store/layout.ts';
import { readLogExtent } from './log-position.ts';
import { DamagedLogError } from './wal-records.ts';

/**
 * Of the tokens whose data has a log, those whose data is of etcd 2: it has no database. etcd 3 opens `member/snap/db`
 * before it makes its log, whatever it is killed at (seen with strace of 3.3.25, 3.4.23, 3.5.16 and 3.5.30).
 *
 * @param served a token that an etcd 3 has served here by the store: where its database is missing, it was lost
 */
export async function etcd2TokensOn(
  volume: Pick<EtcdClusterConfig, 'mountPoint'>,
  tokens: readonly string[],
  served: string | undefined,
): Promise<readonly string[]> {
  const candidates = tokens.filter((token) => token !== served);
  const haveDatabase = await Promise.all(candidates.map((token) => hasDatabase(volume, token)));
  return candidates.filter((_, index) => haveDatabase[index] === false);
}

/**
 * The data of etcd 2 that lies on the volume, as `lookAtStoppedData` says it of etcd 3's. Without a place in its log where
 * that is damaged: such a member says nothing of what was acknowledged, and is not counted.
 */
export async function lookAtEtcd2(
  config: Pick<EtcdClusterConfig, 'mountPoint' | 'backupPath'>,
  tokens: { readonly restored: string; readonly marker: string | undefined },
  member: string,
  nowMs: number,
  env: Pick<RestoreEnv, 'store' | 'log'>,
  signal: AbortSignal,
): Promise<StoppedData | undefined> {
  const others = (await tokensWithLog(config)).filter((name) => name !== tokens.restored);
  const token = tokens.marker ?? (others.length === 1 ? others[0] : undefined);
  if (token === undefined || !others.includes(token)) return undefined;
  const served = await env.store.read(`${config.backupPath}/${startedPath(token, member)}`, signal);
  const [found] = await etcd2TokensOn(config, [token], served && token);
  if (found === undefined) return undefined;
  const stopped = { token, revision: 0, at: new Date(nowMs).toISOString() };
  try {
    const { last } = await readLogExtent(dataFolder(config, token));
    return { ...stopped, etcd2: last };
  } catch (error) {
    if (!(error instanceof DamagedLogError)) throw error;
    env.log.error(`the data of etcd 2 of ${member} is of no use: ${error.message}`);
    return stopped;
  }
}
