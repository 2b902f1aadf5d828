import type { BackupEnv } from '../backup/take-backup.ts';
import type { Bell } from '../bell/bell.ts';
import type { OwnMember } from '../own-member.ts';
import type { EtcdGate } from '../restore/restore-step.ts';
import type { Leadership } from './leadership.ts';

/** The environment of a leader's loop that may begin a restore, and pauses during one. */
export interface LeadingEnv extends BackupEnv {
  readonly leadership: Leadership;
  readonly own: OwnMember;
  readonly bell: Bell;
  readonly gate: { readonly etcd: EtcdGate };
}
