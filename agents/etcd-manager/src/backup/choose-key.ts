import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { listBackups } from '@kopsctl/state-store/etcd/list-backups.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { secretPath } from '@kopsctl/state-store/stored-secret.ts';
import { ENCRYPTION_SECRET, readBackupKey, type BackupKey } from './encryption.ts';
import { managerVariable } from '../manager-variable.ts';

/** A variable of the manager's environment in the spec: `none` or `required`. */
const ENCRYPTION_SETTING = 'ETCD_MANAGER_BACKUP_ENCRYPTION';

/**
 * The key with which the next backup is encrypted; undefined if it is to be stored in the clear. A key that is gone never
 * means that: where backups have been encrypted, only the spec turns encryption off (`none`), and with `required` there
 * is no backup without a key from the beginning.
 *
 * @throws ActionableError if the key is missing or unusable
 */
export async function chooseBackupKey(
  config: Pick<EtcdClusterConfig, 'name' | 'backupPath' | 'env'>,
  { store, cluster }: { readonly store: StateStore; readonly cluster: string },
  signal: AbortSignal,
): Promise<BackupKey | undefined> {
  const setting = settingOf(config);
  if (setting === 'none') return undefined;
  const key = await readBackupKey(store, cluster, signal);
  if (key !== undefined) return key;
  const before = (await listBackups(store, config.backupPath, signal)).findLast(({ isEncrypted }) => isEncrypted);
  if (setting === undefined && before === undefined) return undefined;
  const why = before === undefined ? `${ENCRYPTION_SETTING} is required` : `the backup ${before.name} was encrypted`;
  throw new ActionableError({
    what: `back up etcd ${config.name}`,
    why: `${why}, and there is no key: ${secretPath(cluster, ENCRYPTION_SECRET)} does not exist`,
    next: `put the key back: \`kopsctl create secret ${ENCRYPTION_SECRET} -f FILE\` (a new one encrypts what follows, and the old one is needed for older backups); to store backups in the clear from now on, set ${ENCRYPTION_SETTING} to none in spec.etcdClusters[].manager.env and apply`,
  });
}

function settingOf({ env }: Pick<EtcdClusterConfig, 'env'>): 'none' | 'required' | undefined {
  const value = managerVariable(env, ENCRYPTION_SETTING);
  if (value === undefined || value === 'none' || value === 'required') return value;
  throw new ActionableError({
    what: 'decide whether backups are encrypted',
    why: `${ENCRYPTION_SETTING} is ${JSON.stringify(value)}`,
    next: 'set it to none or required in spec.etcdClusters[].manager.env, or remove it',
  });
}
