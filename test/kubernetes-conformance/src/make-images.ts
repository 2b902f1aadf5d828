import { chmod, copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ownSources } from '@kopsctl/packaging-assets/apt-root.ts';
import { debianSources } from '@kopsctl/packaging-assets/apt-sources.ts';
import {
  cacheKey,
  type CachedFolder,
  findCached,
  makeCached,
  type MadeFile,
} from '@kopsctl/packaging-assets/cached-folder.ts';
import { packImage } from '@kopsctl/packaging-assets/image-archive.ts';
import { DEFAULT_CACHE, makeAssets } from '@kopsctl/packaging-assets/prepare-assets.ts';
import { execa } from 'execa';
import type { SuitePrograms } from './programs.ts';
import { BASES, fileOf, type TestImage } from './test-images.ts';

const SUITE = 'bookworm';
const ARCH = 'amd64';
const REVISION = '1';

/** Packs the images of the suite, or takes them from the cache. */
export async function testImages(
  images: readonly TestImage[],
  suite: SuitePrograms,
  log: (line: string) => void,
): Promise<CachedFolder> {
  const key = cacheKey([REVISION, JSON.stringify([BASES, images]), JSON.stringify(suite)]);
  const place = join(DEFAULT_CACHE, 'e2e-images', key);
  const found = await findCached(place);
  if (found !== undefined) return found;
  log('images of the conformance suite: packed from Debian packages and its own programs, which is done once');
  return makeCached(place, 'times', async (dir, scratch) => {
    const bases = join(scratch, 'bases');
    for (const [name, packages] of Object.entries(BASES)) await makeBase(join(bases, name), packages);
    await unpackImage(await busyboxArchive(log), join(bases, 'busybox'), scratch);
    const made: MadeFile[] = [];
    for (const image of images) made.push(await makeImage(image, suite, { dir, scratch, bases }));
    return made;
  });
}

async function makeBase(root: string, packages: readonly string[]): Promise<void> {
  await mkdir(dirname(root), { recursive: true });
  const lines = debianSources(await ownSources(), SUITE).filter((line) => line.startsWith('deb '));
  const excluded = ['/usr/share/man/*', '/usr/share/doc/*', '/usr/share/locale/*', '/usr/share/info/*'];
  const options = [
    '--mode=root',
    '--variant=minbase',
    `--include=${packages.join(',')}`,
    ...excluded.map((path) => `--dpkgopt=path-exclude=${path}`),
    '--aptopt=APT::Install-Recommends "false"',
  ];
  await execa('mmdebstrap', [...options, SUITE, root, '-'], { input: `${lines.join('\n')}\n` });
}

async function busyboxArchive(log: (line: string) => void): Promise<string> {
  const folder = (await makeAssets({ only: ['image/busybox'], log })).get('image/busybox');
  const [image] = folder?.files ?? [];
  if (folder === undefined || image === undefined) throw new Error('makeAssets did not make the image of busybox');
  return join(folder.dir, image.file);
}

/** The root of an image with a single layer, as packImage writes it. */
async function unpackImage(archive: string, root: string, scratch: string): Promise<void> {
  const parts = join(scratch, 'parts');
  await mkdir(parts, { recursive: true });
  await mkdir(root, { recursive: true });
  await execa('tar', ['--extract', `--file=${archive}`, `--directory=${parts}`]);
  const manifest: readonly { readonly Layers: readonly string[] }[] = JSON.parse(
    await readFile(join(parts, 'manifest.json'), 'utf8'),
  );
  for (const layer of manifest[0]?.Layers ?? []) {
    await execa('tar', ['--extract', `--file=${join(parts, layer)}`, `--directory=${root}`]);
  }
}

interface Workshop {
  readonly dir: string;
  readonly scratch: string;
  readonly bases: string;
}

async function makeImage(
  image: TestImage,
  { programs, kubernetes }: SuitePrograms,
  { dir, scratch, bases }: Workshop,
): Promise<MadeFile> {
  const file = fileOf(image);
  const root = join(scratch, file);
  const place = async (target: string): Promise<string> => {
    const path = join(root, target);
    await mkdir(dirname(path), { recursive: true });
    return path;
  };
  await mkdir(root, { recursive: true });
  for (const [target, name] of Object.entries(image.programs ?? {})) {
    const path = await place(target);
    await copyFile(programs[name] ?? '', path);
    await chmod(path, image.setuid?.includes(target) === true ? 0o6755 : 0o755);
  }
  for (const [target, source] of Object.entries(image.files ?? {})) {
    await copyFile(join(kubernetes, source), await place(target));
    await chmod(join(root, target), 0o644);
  }
  for (const [target, text] of Object.entries(image.texts ?? {})) await writeFile(await place(target), text);
  for (const [target, to] of Object.entries(image.links ?? {})) await symlink(to, await place(target));
  for (const folder of image.folders ?? []) await mkdir(join(root, folder), { recursive: true });
  const { reference, entrypoint, command, user } = image;
  const spec = {
    reference,
    arch: ARCH,
    keepsModes: true,
    // Two names of the same content would share an id, and the kubelet reports an image by one of its names.
    labels: { reference },
    ...(entrypoint === undefined ? {} : { entrypoint }),
    ...(command === undefined ? {} : { command }),
    ...(user === undefined ? {} : { user }),
  } as const;
  const roots = image.base === 'empty' ? [root] : [join(bases, image.base), root];
  await packImage(spec, roots, join(dir, file), scratch);
  const [name = '', version = ''] = file.replace(/\.tar$/, '').split(/-(?=\d)/);
  return { name: `image/${name}`, version, file, image: reference };
}
