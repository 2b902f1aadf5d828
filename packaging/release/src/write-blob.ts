import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Bundle } from '@kopsctl/packaging-binary/bundle.ts';
import { seaConfig } from '@kopsctl/packaging-binary/sea-config.ts';
import { LOADER } from '@kopsctl/packaging-binary/single-executable.ts';
import { execa } from 'execa';

import { joinChunks } from './join-chunks.ts';

/**
 * Writes what is injected into Node. Equal bundles give equal bytes: no code cache of V8, which differs from run to run,
 * and only relative paths, because Node writes the path of the main script into the blob.
 */
export async function writeBlob(options: {
  readonly bundle: Bundle;
  readonly flags: readonly string[];
  /** A Node that runs here, of the version that is to read the blob. */
  readonly writer: string;
  readonly folder: string;
}): Promise<string> {
  const { bundle, flags, writer, folder } = options;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const chunks = await Promise.all(
    bundle.chunks.map(async (name) => [name, await readFile(path.join(bundle.dir, name))] as const),
  );
  const { archive, index } = joinChunks(chunks);
  await writeFile(path.join(folder, 'archive'), archive);
  await writeFile(path.join(folder, 'index.json'), JSON.stringify(index));
  await copyFile(LOADER, path.join(folder, 'main.cjs'));
  const config = {
    main: 'main.cjs',
    assets: { archive: 'archive', 'index.json': 'index.json' },
    output: 'blob',
    ...seaConfig({ flags, useCodeCache: false }),
  };
  await writeFile(path.join(folder, 'sea.json'), JSON.stringify(config));
  await execa(writer, ['--experimental-sea-config', 'sea.json'], { cwd: folder, env: { NODE_OPTIONS: '' } });
  return path.join(folder, 'blob');
}
