import { chmod, copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';

import { execa } from 'execa';

import { downloadVerified, isReachable } from './download.ts';
import type { ProgramSource } from './program-source.ts';
import { NotProvided } from './recipe.ts';

/** A file that a project publishes: a program, or an archive that holds some. */
export interface ReleasedFile {
  readonly url: string;
  /** Where its project publishes the SHA-256: alone, or in lines as sha256sum writes them. */
  readonly sha256Url: string;
  /** The place of each program in the archive, by name; for a file that is a program itself, its name. */
  readonly programs: string | Readonly<Record<string, string>>;
}

/** Programs as their project published them, verified by their hashes. */
export function fromRelease(version: string, files: readonly [ReleasedFile, ...ReleasedFile[]]): ProgramSource {
  return {
    from: 'its release location',
    version,
    inputs: files.map(({ url }) => url),
    isReachable: (http) => isReachable(http, files[0].url),
    async provide({ dir, scratch, http, cacheDir, log }) {
      const placing = await Promise.allSettled(
        files.map(async ({ url, sha256Url, programs }) => {
          const file = await downloadVerified(http, {
            url,
            sha256Url,
            cacheDir,
            scratch,
            log,
          });
          if (typeof programs === 'string') return place(file, path.join(dir, programs));
          const unpacked = `${file}.unpacked`;
          await mkdir(unpacked);
          await execa('tar', ['--extract', `--file=${file}`, `--directory=${unpacked}`, '--no-same-owner']);
          for (const [name, member] of Object.entries(programs)) {
            await place(path.join(unpacked, member), path.join(dir, name));
          }
        }),
      );
      // All of them have ended, so nothing is written any more where the next source works. Wrong bytes are an error of
      // their own: another source must not hide them because another file is missing.
      const failures = placing.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []));
      if (failures.length > 0) throw failures.find((one) => !(one instanceof NotProvided)) ?? failures[0];
      return version;
    },
  };
}

async function place(source: string, target: string): Promise<void> {
  await copyFile(source, target);
  await chmod(target, 0o755);
}
