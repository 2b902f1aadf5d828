import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '@kopsctl/files/folder.ts';
import { ifThere } from '@kopsctl/files/if-there.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';

/**
 * Records on the machine's own disk that an empty volume is being formatted. A half-formatted volume (after a crash or a
 * power failure) looks like one with unknown data; only this record says that it held nothing.
 */
export interface FormatRecord {
  begin(volumeId: string): Promise<void>;
  /** Once it resolves, the record is gone from the disk, too. */
  end(volumeId: string): Promise<void>;
  wasInterrupted(volumeId: string): Promise<boolean>;
}

export function formatRecord(folder: string): FormatRecord {
  const place = (volumeId: string): string => join(folder, encodeURIComponent(volumeId));
  return {
    async begin(volumeId) {
      const text = 'being formatted, because it was empty\n';
      await replaceFile(place(volumeId), text, { mode: 0o600, folderMode: 0o700 });
    },
    async end(volumeId) {
      await rm(place(volumeId), { force: true });
      // Nothing was ever formatted where the folder is missing.
      await ifThere(syncFolder(folder));
    },
    wasInterrupted: async (volumeId) => (await ifThere(stat(place(volumeId)))) !== undefined,
  };
}
