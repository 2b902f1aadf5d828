import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { StoppedData } from '@kopsctl/state-store/etcd/restore-record.ts';
import { databasePath, hasDatabase, tokensOn } from './data-folders.ts';
import { stoppedRevision } from './stopped-database.ts';

/**
 * Describes the data that the local etcd left when it stopped: the data of the cluster that the marker names. If the marker
 * names none (one of kops), it is the only data besides that of the restore. Undefined if there is none.
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

/** 0 if the database cannot be read, which must not prevent a restore. */
async function revisionOrNone(path: string): Promise<number> {
  try {
    return await stoppedRevision(path);
  } catch {
    return 0;
  }
}
