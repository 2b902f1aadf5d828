import { createRequire } from 'node:module';
import path from 'node:path';

import { execa } from 'execa';

/** Marks the place in Node's binary where a script can be injected. Documented by Node; not a secret. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/**
 * Puts a blob into a Node for Linux or macOS. postject prints harmless warnings about section names, which are shown only
 * if it fails. The option for macOS changes nothing in a file for Linux.
 */
export async function injectBlob(file: string, blob: string): Promise<void> {
  const command = createRequire(import.meta.url).resolve('postject');
  await execa(process.execPath, [
    path.join(path.dirname(command), 'cli.js'),
    file,
    'NODE_SEA_BLOB',
    blob,
    '--sentinel-fuse',
    FUSE,
    '--macho-segment-name',
    'NODE_SEA',
  ]);
}
