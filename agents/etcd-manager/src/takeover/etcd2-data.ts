import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { hasDatabase } from '../restore/data-folders.ts';

/**
 * Of the tokens whose data has a log, those whose data is of etcd 2: it has no database. etcd 3 opens `member/snap/db`
 * before it makes its log, whatever it is killed at (seen with strace of 3.3.25, 3.4.23, 3.5.16 and 3.5.30).
 *
 * @param served a token that an etcd 3 has served here by the store: where its database is missing, it was lost
 */
export async function etcd2TokensOn(
  volume: Pick<EtcdClusterConfig, 'mountPoint'>,
  tokensWithLog: readonly string[],
  served: string | undefined,
): Promise<readonly string[]> {
  const candidates = tokensWithLog.filter((token) => token !== served);
  const haveDatabase = await Promise.all(candidates.map((token) => hasDatabase(volume, token)));
  return candidates.filter((_, index) => haveDatabase[index] === false);
}
