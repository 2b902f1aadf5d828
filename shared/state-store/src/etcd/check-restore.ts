import { minorOf } from '@kopsctl/spec/minor-version.ts';
import { holdsEtcd2 } from './backup-layout.ts';
import type { BackupDetails } from './list-backups.ts';
import type { RestoreRecord } from './restore-record.ts';
import { hasEnded } from './restore-record.ts';

export interface RestoreQuestion {
  readonly backupName: string;
  /** The backup of that name. */
  readonly backup: BackupDetails | undefined;
  /** The version that was asked for; '' when none was, as in a command written by hand. */
  readonly askedVersion: string;
  /** The etcd that the cluster is to run, by its spec. */
  readonly wantedVersion: string;
  readonly current: RestoreRecord | undefined;
}

/** Why a restore must not begin; undefined when it may. Pure: the manager asks, and so does a dry run. */
export function refusalOf(question: RestoreQuestion): string | undefined {
  const { backup, backupName, askedVersion, wantedVersion, current } = question;
  if (current !== undefined && !hasEnded(current)) return `the restore ${current.id} is under way (${current.phase})`;
  if (backup === undefined) return `there is no finished backup ${backupName}`;
  if (holdsEtcd2(backup.meta) && !canMigrateEtcd2(wantedVersion)) {
    return `${backupName} holds data of etcd ${backup.meta.etcdVersion}, which only etcd 3.3 and 3.4 can migrate to keys of version 3; set the version in the spec to 3.4 first, and upgrade from there afterwards`;
  }
  if (askedVersion !== '' && minorOf(askedVersion) !== minorOf(wantedVersion)) {
    return `it asks for etcd ${askedVersion}, but the cluster's spec asks for ${wantedVersion}; change the spec first`;
  }
  if (backup.facts !== undefined && backup.facts.storedBytes !== backup.storedBytes) {
    return `${backupName} was stored with ${backup.facts.storedBytes} bytes, and ${backup.storedBytes} are there`;
  }
  if (backup.verified?.ok === false) {
    return `${backupName} could not be restored when it was tried: ${backup.verified.failure ?? ''}`;
  }
  return undefined;
}

/** What a restore would do, for people, a line each. */
export function describeRestore(question: RestoreQuestion & { readonly backup: BackupDetails }): readonly string[] {
  const { backup, wantedVersion } = question;
  const { facts, verified } = backup;
  const size = facts ? `, ${facts.databaseBytes} bytes, revision ${facts.revision}` : '';
  // The revision of a kops backup is known only once it has been fetched, so everything waits for that.
  const isKnown = facts !== undefined;
  const verification = verified ? `verified at ${verified.at}: ${verified.keys ?? 0} keys` : 'never verified';
  return [
    `restore ${backup.name} (etcd ${backup.meta.etcdVersion}${size}; ${verification})`,
    `everything written after ${new Date(backup.takenMs).toISOString()} would be lost`,
    'every machine that answers would stop its API server',
    ...(isKnown ? [] : ['the present data would be backed up first, if etcd still answers']),
    `every member would stop and restore the snapshot as a file, with etcd ${wantedVersion}, under a new cluster token`,
    'revisions would go on beyond the last one seen, with everything before them compacted',
    'etcd would start; /registry/masterleases/ would be emptied',
    'the API servers would start again',
    ...(isKnown ? ['the previous data, which stays on the volumes until then, would be backed up'] : []),
  ];
}

/** `etcdctl migrate` was added in 3.0 and removed in 3.5; versions older than 3.3 are not tried. */
export function canMigrateEtcd2(version: string): boolean {
  return ['3.3', '3.4'].includes(minorOf(version));
}
