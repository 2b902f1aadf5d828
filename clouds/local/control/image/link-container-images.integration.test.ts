import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { linkContainerImages } from './link-container-images.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kops-images-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('machines share layers, and each has databases of its own', async () => {
  const images = join(folder, 'images');
  await mkdir(join(images, 'overlayfs/snapshots/1/fs'), { recursive: true });
  await writeFile(join(images, 'overlayfs/snapshots/1/fs/program'), 'a layer', { mode: 0o755 });
  await writeFile(join(images, 'overlayfs/metadata.db'), 'a database', { mode: 0o600 });
  const [one, other] = [join(folder, 'one/containerd'), join(folder, 'other/containerd')];
  await linkContainerImages(images, one);
  await linkContainerImages(images, other);
  const inode = async (path: string) => (await stat(path)).ino;
  const layer = 'overlayfs/snapshots/1/fs/program';
  expect(await inode(join(one, layer))).toBe(await inode(join(other, layer)));
  expect((await stat(join(one, layer))).mode & 0o777).toBe(0o755);
  await writeFile(join(one, 'overlayfs/metadata.db'), 'one has written to it');
  for (const root of [images, other]) {
    expect(await readFile(join(root, 'overlayfs/metadata.db'), 'utf8')).toBe('a database');
  }
  expect((await stat(join(one, 'overlayfs/metadata.db'))).mode & 0o777).toBe(0o600);
});
