import { BACKUP_FACTS, parseBackupFacts, parseJson } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { hasEnded, RESTORE_RECORD, type RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { BACKUP_PATH } from './machine.ts';

/** What was ever written to the store, as far as the promises concern it. */
export class StoredFacts {
  /** Why each backup was taken. */
  readonly reasons = new Map<string, string>();
  /** The revision of each backup. */
  readonly revisions = new Map<string, number>();
  readonly #restores = new Map<string, string>();
  #restore: RestoreRecord | undefined;

  /** The record of the last restore. */
  get restore(): (RestoreRecord & { readonly isUnderWay: boolean }) | undefined {
    return this.#restore && { ...this.#restore, isUnderWay: !hasEnded(this.#restore) };
  }

  /** The id of the restore with this token. */
  restoreOf(token: string): string | undefined {
    return this.#restores.get(token);
  }

  /** The store, with every write to it noted. */
  noting(store: StateStore): StateStore {
    return {
      ...store,
      write: async (path, bytes, condition, signal) => {
        const written = await store.write(path, bytes, condition, signal);
        this.#note(path, bytes);
        return written;
      },
    };
  }

  #note(path: string, bytes: Uint8Array): void {
    const [folder = '', file = ''] = path.slice(BACKUP_PATH.length + 1).split('/');
    if (file === BACKUP_FACTS) {
      const { reason = '', revision = 0 } = parseBackupFacts(bytes) ?? {};
      this.reasons.set(folder, reason);
      this.revisions.set(folder, revision);
    }
    if (!path.endsWith(`/${RESTORE_RECORD}`)) return;
    // The managers wrote it a moment ago.
    this.#restore = parseJson(bytes) as unknown as RestoreRecord;
    this.#restores.set(this.#restore.token, this.#restore.id);
  }
}
