import { pendingCommands, type EtcdCommand } from '@kopsctl/state-store/etcd/command.ts';
import { describeEvenDamaged, listBackups, type BackupDetails } from '@kopsctl/state-store/etcd/list-backups.ts';
import { readStatuses, type MemberStatus } from '@kopsctl/state-store/etcd/member-status.ts';
import { readRestore, type RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { printableTexts } from '../follow/printable.ts';
import type { EtcdClusterInStore } from './etcd-clusters.ts';

/** What the store says of one etcd cluster. */
export interface EtcdReport {
  readonly name: string;
  readonly members: readonly MemberStatus[];
  readonly backups: number;
  /** That can be restored. */
  readonly newestBackup?: BackupDetails;
  /** The newest one that was verified, if it is among the newest few. */
  readonly newestVerified?: BackupDetails;
  readonly restore?: RestoreRecord;
  readonly pending: readonly EtcdCommand[];
}

/** One backup an hour is verified, of four: looking further back would only cost requests. */
const LOOK_BACK = 12;

/** Reads all that doctor and status print, with texts that can be printed. Changes nothing, and needs no etcd to answer. */
export async function readEtcdReport(store: StateStore, etcd: EtcdClusterInStore): Promise<EtcdReport> {
  const [members, backups, restore, pending] = await Promise.all([
    readStatuses(store, etcd.backupPath),
    listBackups(store, etcd.backupPath),
    readRestore(store, etcd.backupPath),
    pendingCommands(store, etcd.backupPath),
  ]);
  const described = await Promise.all(
    backups.slice(-LOOK_BACK).map((listed) => describeEvenDamaged(store, etcd.backupPath, listed)),
  );
  // One whose meta file is damaged cannot be restored: list-backups tells of it.
  const latest = described.filter((one) => 'meta' in one);
  const newestBackup = latest.at(-1);
  const newestVerified = latest.findLast(({ verified }) => verified?.ok === true);
  return printableTexts({
    name: etcd.name,
    members: members.toSorted((a, b) => a.member.localeCompare(b.member)),
    backups: backups.length,
    ...(newestBackup && { newestBackup }),
    ...(newestVerified && { newestVerified }),
    ...(restore && { restore: restore.record }),
    pending,
  });
}
