import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import { writeAtomically } from '@kopsctl/agent/write-file.ts';

/**
 * Remembers on the machine's own disk that an empty volume is being formatted. A volume that was left half formatted
 * (a crash, a power cut) looks like one with unknown data; only this record tells that nothing of worth was on it.
 */
export interface FormatRecord {
  begin(volumeId: string): Promise<void>;
  end(volumeId: string): Promise<void>;
  wasInterrupted(volumeId: string): Promise<boolean>;
}

export function formatRecord(folder: string): FormatRecord {
  const place = (volumeId: string): string => join(folder, encodeURIComponent(volumeId));
  return {
    async begin(volumeId) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeAtomically(place(volumeId), 'being formatted, because it was empty\n', 0o600);
    },
    end: (volumeId) => rm(place(volumeId), { force: true }),
    async wasInterrupted(volumeId) {
      try {
        await stat(place(volumeId));
        return true;
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return false;
        throw error;
      }
    },
  };
}
