import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readAssetIndex } from '@kopsctl/actions/cloud/asset-index-file.ts';
import { ASSETS_DIR } from '../../../../packaging/quickstart/src/prepare.ts';

type PreparedFile = Awaited<ReturnType<typeof readAssetIndex>>['assets'][number];

/** What machines download, as a mirror in their network holds it. */
export interface PublishedFiles {
  /** The prepared file of this name whose version begins so. */
  readonly find: (name: string, version?: string) => PreparedFile;
  /** Puts a file where its publisher has it, and remembers its hash by that address. */
  readonly offer: (publishedUrl: string, file: PreparedFile) => Promise<void>;
  readonly hashes: Readonly<Record<string, string>>;
}

/**
 * A mirror that is filled with prepared files, in the layout of their publishers. They were built here, so their hashes are
 * not those of releases.
 */
export async function publishedFiles(mirror: string): Promise<PublishedFiles> {
  const { assets } = await readAssetIndex(ASSETS_DIR);
  const hashes: Record<string, string> = {};
  return {
    hashes,
    find(name, version = '') {
      // Versions of etcd live side by side: etcd-3.4.23.
      const isCalled = (own: string): boolean => own === name || own.startsWith(`${name}.`);
      const found = assets.find((entry) => isCalled(entry.name) && entry.version.startsWith(version));
      if (found === undefined) throw new Error(`${name} ${version} is not prepared in ${ASSETS_DIR}`);
      return found;
    },
    async offer(publishedUrl, { file, sha256 }) {
      const place = join(mirror, new URL(publishedUrl).pathname);
      await mkdir(dirname(place), { recursive: true });
      await symlink(join(ASSETS_DIR, file), place);
      hashes[publishedUrl] = sha256;
    },
  };
}
