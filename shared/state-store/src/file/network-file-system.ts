import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ActionableError, codeOf } from '@kopsctl/errors/actionable-error.ts';

/** The type of the file system of a folder, as statfs(2) returns it. */
export type FileSystemType = (folder: string) => Promise<number>;

/**
 * File systems of other machines (`f_type` of statfs(2), linux/magic.h). A client of them may repeat a link(2) that has
 * succeeded and report that the name is taken (nfs(5)), and may give two machines the same lock, after a restart of the
 * server or where locks are local (`nolock`, `local_lock`, 9p, SMB without byte-range locks). So two writers could both
 * succeed.
 */
const OF_OTHERS: Readonly<Record<number, string>> = {
  0x6969: 'NFS',
  0x517b: 'SMB',
  0xfe534d42: 'SMB',
  0xff534d42: 'SMB',
  0x01021997: '9p',
  0x5346414f: 'AFS',
};

/** @throws ActionableError if the folder of a store is on a file system on which no write can be conditional */
export async function refuseNetworkFileSystem(url: string, root: string, typeOf: FileSystemType): Promise<void> {
  // statfs(2) gives some types as negative numbers of 32 bits.
  const name = OF_OTHERS[(await typeOfNearest(root, typeOf)) >>> 0];
  if (name === undefined) return;
  throw new ActionableError({
    what: `change the state store ${url}`,
    why: `${root} is on ${name}, where links and locks of several machines are not safe, so a write could destroy another one`,
    next: 'move the store to a disk of this machine, or use s3:// or gs://; reading it from here is still possible',
  });
}

/** The folder of a store may not exist yet. */
async function typeOfNearest(root: string, typeOf: FileSystemType): Promise<number> {
  for (let folder = root; ; folder = dirname(folder)) {
    try {
      return await typeOf(folder);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || folder === dirname(folder)) throw error;
    }
  }
}

export const fileSystemType: FileSystemType = async (folder) => (await statfs(folder)).type;
