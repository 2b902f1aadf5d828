import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

import { packTar } from '../deterministic-tar.ts';

/** The media types of images: those of OCI, and Docker's older ones, which registries still hold. */
const TYPES = {
  oci: {
    index: 'application/vnd.oci.image.index.v1+json',
    manifest: 'application/vnd.oci.image.manifest.v1+json',
    config: 'application/vnd.oci.image.config.v1+json',
    layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
  },
  docker: {
    index: 'application/vnd.docker.distribution.manifest.list.v2+json',
    manifest: 'application/vnd.docker.distribution.manifest.v2+json',
    config: 'application/vnd.docker.container.image.v1+json',
    layer: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
  },
} as const;

/** Enough that a connection can break in the middle of it. */
const PROGRAM_BYTES = 3_000_000;

const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/**
 * Publishes an image as a project's build does: an index of amd64, arm64, and an attestation of how they were built.
 *
 * @param base the address of the registry
 * @param scratch an empty folder
 * @returns the digest of the index
 */
export async function publishImage(
  base: string,
  name: string,
  tag: string,
  kind: keyof typeof TYPES,
  scratch: string,
): Promise<string> {
  const types = TYPES[kind];
  const blob = async (bytes: Buffer, mediaType: string): Promise<object> => {
    await putBlob(base, name, bytes);
    return { mediaType, digest: digestOf(bytes), size: bytes.length };
  };
  const manifest = async (config: object, layer: Buffer, layerType: string, platform: object): Promise<object> => {
    const content = {
      schemaVersion: 2,
      mediaType: types.manifest,
      config: await blob(Buffer.from(JSON.stringify(config)), types.config),
      layers: [await blob(layer, layerType)],
    };
    const bytes = Buffer.from(JSON.stringify(content));
    await putManifest(base, name, digestOf(bytes), bytes, types.manifest);
    return { mediaType: types.manifest, digest: digestOf(bytes), size: bytes.length, platform };
  };
  const manifests: object[] = [];
  for (const architecture of ['arm64', 'amd64']) {
    const layer = await layerOf(path.join(scratch, architecture), randomBytes(PROGRAM_BYTES));
    const config = {
      architecture,
      os: 'linux',
      config: { Entrypoint: ['/program'] },
      rootfs: { type: 'layers', diff_ids: [digestOf(layer)] },
    };
    manifests.push(await manifest(config, gzipSync(layer), types.layer, { architecture, os: 'linux' }));
  }
  const unknown = { architecture: 'unknown', os: 'unknown' };
  const statement = Buffer.from('{"_type":"https://in-toto.io/Statement/v0.1"}');
  const none = { ...unknown, config: {}, rootfs: { type: 'layers', diff_ids: [digestOf(statement)] } };
  manifests.push(await manifest(none, statement, 'application/vnd.in-toto+json', unknown));
  const index = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: types.index, manifests }));
  await putManifest(base, name, tag, index, types.index);
  return digestOf(index);
}

async function layerOf(scratch: string, program: Buffer): Promise<Buffer> {
  await mkdir(path.join(scratch, 'root'), { recursive: true });
  await writeFile(path.join(scratch, 'root/program'), program, { mode: 0o755 });
  await packTar(path.join(scratch, 'root'), path.join(scratch, 'layer.tar'));
  return readFile(path.join(scratch, 'layer.tar'));
}

async function putBlob(base: string, name: string, bytes: Buffer): Promise<void> {
  const started = await fetch(`${base}/v2/${name}/blobs/uploads/`, { method: 'POST' });
  const upload = new URL(started.headers.get('location') ?? '', base);
  upload.searchParams.set('digest', digestOf(bytes));
  const { status } = await fetch(upload, { method: 'PUT', body: new Uint8Array(bytes) });
  if (status !== 201) throw new Error(`the registry answers ${status} to a blob`);
}

async function putManifest(base: string, name: string, tag: string, bytes: Buffer, type: string): Promise<void> {
  const url = `${base}/v2/${name}/manifests/${tag}`;
  const put = await fetch(url, {
    method: 'PUT',
    headers: { 'content-type': type },
    body: new Uint8Array(bytes),
  });
  if (put.status !== 201) throw new Error(`the registry answers ${put.status} to a manifest: ${await put.text()}`);
}
