import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LayerFile } from '../machines/seed.ts';

/**
 * Writes files into a new layer folder. Folders get mode 0755, because the mode of a folder in a layer hides the mode
 * in the layers below.
 */
export async function writeLayerFiles(
  layer: string,
  files: readonly LayerFile[],
  links: readonly LayerLink[] = [],
): Promise<void> {
  for (const file of files) {
    const path = join(layer, file.path);
    await mkdir(dirname(path), { recursive: true, mode: 0o755 });
    await writeFile(path, file.text, { mode: file.mode });
  }
  for (const link of links) {
    const path = join(layer, link.path);
    await mkdir(dirname(path), { recursive: true, mode: 0o755 });
    await symlink(link.target, path);
  }
}

export interface LayerLink {
  readonly path: string;
  readonly target: string;
}
