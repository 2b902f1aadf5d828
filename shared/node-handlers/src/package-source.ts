import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { ifThere } from '@kopsctl/files/if-there.ts';
import * as z from 'zod';
import { assetFields } from './asset-place.ts';
import { download } from './download.ts';
import { replaceFile } from './replace-file.ts';

export const sourceSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]+$/),
  key: z.strictObject(assetFields),
  location: z.string().regex(/^https:\/\/[^\s\]]+( [\w./-]+)+$/),
});
type Source = z.infer<typeof sourceSchema>;

/** Keys have some kilobytes. */
const MAX_KEY_BYTES = 1 << 20;

/**
 * Makes a repository known to apt, which accepts only what is signed with the publisher's key (sources.list(5), signed-by).
 * Nothing is written unless the key has the hash that the plan names.
 */
export async function addPackageSource(root: string, source: Source, signal: AbortSignal): Promise<void> {
  const { name, location } = source;
  const keyPath = `/etc/apt/keyrings/${name}.asc`;
  await downloadKey(source, join(root, keyPath), signal);
  const line = new TextEncoder().encode(`deb [signed-by=${keyPath}] ${location}\n`);
  await replaceFile(join(root, `/etc/apt/sources.list.d/${name}.list`), line, 0o644, undefined);
}

async function downloadKey({ name, key }: Source, path: string, signal: AbortSignal): Promise<void> {
  try {
    await download(key.urls, key.sha256, path, signal, { maxBytes: MAX_KEY_BYTES });
  } catch (cause) {
    signal.throwIfAborted();
    const url = key.urls.at(-1) ?? '';
    throw new ActionableError({
      what: `get the key of the package repository ${name}`,
      why: messageOf(cause),
      next: `check that this machine reaches it: curl -I ${url}; if its publisher has replaced the key, remove ${url} from file-hashes.json in the cluster's folder of the state store, and run kopsctl update cluster --yes`,
      cause,
    });
  }
}

const osRelease = async (root: string): Promise<string> =>
  (await ifThere(readFile(join(root, '/etc/os-release'), 'utf8'))) ?? '';

export const isAmazonLinux2023 = async (root: string): Promise<boolean> =>
  /^PLATFORM_ID="?platform:al2023"?$/m.test(await osRelease(root));

interface System {
  /** The distribution first, then those that it is derived from. */
  readonly ids: readonly string[];
  /** Its major version; NaN where it has none. */
  readonly version: number;
}

/** The operating system of the host below root. */
export async function systemOf(root: string): Promise<System> {
  const version = /^VERSION_ID="?(\d+)/m.exec(await osRelease(root))?.[1];
  return { ids: await distributionsOf(root), version: Number(version) };
}

/** The distribution of the host below root and the distributions that it is derived from: `ubuntu`, `debian` (os-release(5)). */
export async function distributionsOf(root: string): Promise<readonly string[]> {
  const text = await osRelease(root);
  return ['ID', 'ID_LIKE'].flatMap((field) =>
    [...text.matchAll(new RegExp(`^${field}="?([^"\n]*)"?$`, 'gm'))].flatMap(([, ids = '']) => ids.split(' ')),
  );
}
