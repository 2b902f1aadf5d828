import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createHash } from 'node:crypto';

import { sha256OfFile } from '@kopsctl/files/sha256-of-file.ts';
import { packTar } from './deterministic-tar.ts';

export interface ImageSpec {
  /** As manifests name it, e.g. registry.k8s.io/pause:3.10.1 */
  readonly reference: string;
  readonly arch: 'amd64' | 'arm64';
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  /** uid or uid:gid; root when absent. */
  readonly user?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Files keep their modes, such as setuid; otherwise they are readable by everybody. */
  readonly keepsModes?: boolean;
}

/**
 * Packs a root folder as a container image in the format of `docker save`, which containerd and Docker both import.
 * Nothing is compressed: importing is what a node's first boot waits for. Equal roots give equal bytes.
 *
 * @param roots one layer each, the lowest first; images with the same lowest root share its layer
 */
export async function packImage(
  spec: ImageSpec,
  roots: string | readonly string[],
  archive: string,
  scratch: string,
): Promise<void> {
  const dir = path.join(scratch, 'image');
  await mkdir(dir, { recursive: true });
  const diffIds: string[] = [];
  for (const root of typeof roots === 'string' ? [roots] : roots) {
    const layer = path.join(dir, 'layer.tar');
    await packTar(root, layer, ['.'], { keepsModes: spec.keepsModes ?? false });
    const diffId = await sha256OfFile(layer);
    await mkdir(path.join(dir, diffId));
    await rename(layer, path.join(dir, diffId, 'layer.tar'));
    diffIds.push(diffId);
  }
  const layers = diffIds.map((diffId) => `${diffId}/layer.tar`);
  const config = JSON.stringify(imageConfig(spec, diffIds));
  const configFile = `${createHash('sha256').update(config).digest('hex')}.json`;
  await writeFile(path.join(dir, configFile), config);
  await writeFile(
    path.join(dir, 'manifest.json'),
    JSON.stringify([{ Config: configFile, RepoTags: [spec.reference], Layers: layers }]),
  );
  // The manifest first: a reader of the stream then knows what follows.
  await packTar(dir, archive, ['manifest.json', configFile, ...layers]);
  await rm(dir, { recursive: true });
}

/** The image's configuration. Its date is fixed, because the same content must have the same id. */
function imageConfig(spec: ImageSpec, diffIds: readonly string[]): object {
  return {
    architecture: spec.arch,
    os: 'linux',
    created: '1970-01-01T00:00:00Z',
    config: {
      Env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
      WorkingDir: '/',
      ...(spec.entrypoint === undefined ? {} : { Entrypoint: spec.entrypoint }),
      ...(spec.command === undefined ? {} : { Cmd: spec.command }),
      ...(spec.user === undefined ? {} : { User: spec.user }),
      ...(spec.labels === undefined ? {} : { Labels: spec.labels }),
    },
    rootfs: { type: 'layers', diff_ids: diffIds.map((diffId) => `sha256:${diffId}`) },
    history: diffIds.map(() => ({ created: '1970-01-01T00:00:00Z', created_by: `kopsctl assets: ${spec.reference}` })),
  };
}
