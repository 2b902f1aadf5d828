import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { StoppedData } from '@kopsctl/state-store/etcd/restore-record.ts';
import type { BackupEnv } from '../backup/take-backup.ts';
import { dataFolder, hasDatabase, tokensWithLog } from '../restore/data-folders.ts';
import { startedPath } from '../store/layout.ts';
import { readLogExtent } from './log-position.ts';
import { DamagedLogError } from './wal-records.ts';

/**
 * Which of these tokens have data of etcd 2, that is, a log but no database. etcd 3 creates `member/snap/db` before its
 * log, so it never leaves such data behind, at whatever moment it is killed (checked with strace for 3.3.25, 3.4.23, 3.5.16
 * and 3.5.30).
 *
 * @param tokens tokens whose data has a log
 * @param served the token that, by the store, etcd 3 has served here: if its database is missing, the database was lost
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
 * Describes the data of etcd 2 on the volume, as `lookAtStoppedData` does for etcd 3; undefined if there is none. If its log
 * is damaged, the result has no position in the log: such data does not prove which writes were acknowledged, so the
 * member is not counted.
 */
export async function lookAtEtcd2(
  config: Pick<EtcdClusterConfig, 'mountPoint' | 'backupPath'>,
  tokens: { readonly restored: string; readonly marker: string | undefined },
  member: string,
  nowMs: number,
  env: Pick<BackupEnv, 'store' | 'log'>,
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
    env.log.error('the data of etcd 2 cannot be used', { member, error });
    return stopped;
  }
}
