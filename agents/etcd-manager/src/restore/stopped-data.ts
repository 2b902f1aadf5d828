import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { StoppedData } from '@kopsctl/state-store/etcd/restore-record.ts';
import { databasePath, hasDatabase, tokensOn } from './data-folders.ts';
import { stoppedRevision } from './stopped-database.ts';

/**
 * What the etcd here, which does not run, has left behind: the data of the cluster that the marker names or, where it
 * names none (kops's), the only one there is besides the one that is being restored. Undefined where there is none.
 */
export async function lookAtStoppedData(
  config: Pick<EtcdClusterConfig, 'mountPoint'>,
  tokens: { readonly restored: string; readonly marker: string | undefined },
  nowMs: number,
): Promise<StoppedData | undefined> {
  const others = (await tokensOn(config)).filter((name) => name !== tokens.restored);
  const token = tokens.marker ?? (others.length === 1 ? others[0] : undefined);
  if (token === undefined || !others.includes(token) || !(await hasDatabase(config, token))) return undefined;
  const revision = await revisionOrNone(databasePath(config, token));
  return { token, revision, at: new Date(nowMs).toISOString() };
}

/** A database that cannot be read must not keep another one from being restored. */
async function revisionOrNone(path: string): Promise<number> {
  try {
    return await stoppedRevision(path);
  } catch {
    return 0;
  }
}
