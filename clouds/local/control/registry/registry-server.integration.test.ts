import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeLog } from '@kopsctl/agent/log.ts';
import { type Http, openHttp } from '@kopsctl/http/http.ts';
import { readWhole } from '@kopsctl/http/read-whole.ts';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { imageLibrary } from './image-library.ts';
import { createRegistryServer } from './registry-server.ts';

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

let folder: string;
let base: string;
let http: Http;
let server: Server;
let said: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kops-registry-'));
  said = [];
  const log = makeLog((line) => said.push(line), false, 'supervisor');
  server = createRegistryServer(
    imageLibrary(() => folder, log),
    log,
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  http = openHttp();
});
afterEach(async () => {
  http.close();
  server.close();
  server.closeAllConnections();
  await rm(folder, { recursive: true, force: true });
});

/** Writes an archive as `docker save` does. The registry looks at no layer, so any bytes will do. */
async function save(name: string, image: string, layers: readonly Buffer[]): Promise<void> {
  const parts = join(folder, `${name}.parts`);
  const paths = layers.map((layer) => `${sha256(layer)}/layer.tar`);
  const config = JSON.stringify({
    rootfs: { type: 'layers', diff_ids: layers.map((layer) => `sha256:${sha256(layer)}`) },
  });
  const manifest = JSON.stringify([{ Config: 'config.json', RepoTags: [image], Layers: paths }]);
  const files = new Map<string, string | Buffer>([
    ['manifest.json', manifest],
    ['config.json', config],
  ]);
  for (const [index, path] of paths.entries()) files.set(path, layers[index] ?? '');
  for (const [path, content] of files) {
    await mkdir(dirname(join(parts, path)), { recursive: true });
    await writeFile(join(parts, path), content);
  }
  await execa('tar', ['-C', parts, '-cf', join(folder, `${name}.tar`), ...files.keys()]);
}

async function listAssets(...names: readonly string[]): Promise<void> {
  const entry = { version: '1', arch: 'amd64', sha256: 'a'.repeat(64), size: 1 };
  const assets = names.map((name) => ({ ...entry, name: `image/${name}`, file: `${name}.tar` }));
  await writeFile(join(folder, 'index.json'), JSON.stringify({ assets }));
}

async function ask(path: string, method = 'GET', headers: Readonly<Record<string, string>> = {}) {
  const {
    status,
    headers: answered,
    body,
  } = await http.stream({ method, url: `${base}${path}`, headers, withinMs: 10_000 }, undefined);
  return { status, headers: answered, body: await readWhole(body, 1 << 24) };
}

const LAYERS = [randomBytes(3_000_000), randomBytes(700)];

async function oneImage(): Promise<{ readonly manifest: string; readonly layers: readonly string[] }> {
  await save('one', 'registry.k8s.io/team/one:v1', LAYERS);
  await listAssets('one');
  const { body } = await ask('/v2/team/one/manifests/v1?ns=registry.k8s.io');
  return { manifest: body.toString(), layers: LAYERS.map((layer) => `sha256:${sha256(layer)}`) };
}

test('an image is pulled by its tag: manifest, configuration and layers have the digests that name them', async () => {
  const { manifest, layers } = await oneImage();
  const parsed = JSON.parse(manifest);
  expect(parsed.layers.map(({ digest }: { digest: string }) => digest)).toEqual(layers);
  for (const { digest, size } of [parsed.config, ...parsed.layers]) {
    const { status, headers, body } = await ask(`/v2/team/one/blobs/${digest}`);
    expect([status, headers['docker-content-digest'], body.length]).toEqual([200, digest, size]);
    expect(`sha256:${sha256(body)}`).toBe(digest);
  }
});

test('a manifest is found by its digest too, and HEAD says what GET would', async () => {
  const { manifest } = await oneImage();
  const digest = `sha256:${sha256(manifest)}`;
  const head = await ask('/v2/team/one/manifests/v1?ns=registry.k8s.io', 'HEAD');
  expect(head).toMatchObject({ status: 200, headers: { 'docker-content-digest': digest } });
  expect(head.headers['content-type']).toBe('application/vnd.oci.image.manifest.v1+json');
  expect(head.headers['content-length']).toBe(String(manifest.length));
  expect(head.body.length).toBe(0);
  expect((await ask(`/v2/team/one/manifests/${digest}`)).body.toString()).toBe(manifest);
});

test('a layer that broke off is resumed', async () => {
  const { layers } = await oneImage();
  const { status, body } = await ask(`/v2/team/one/blobs/${layers[0]}`, 'GET', { range: 'bytes=2999000-' });
  expect(status).toBe(206);
  expect(body.equals(LAYERS[0]?.subarray(2_999_000) ?? Buffer.alloc(0))).toBe(true);
});

test('short names are those of Docker Hub, and another registry has none of them', async () => {
  await save('busybox', 'busybox:1.35', [randomBytes(10)]);
  await listAssets('busybox');
  expect((await ask('/v2/library/busybox/manifests/1.35?ns=docker.io')).status).toBe(200);
  expect((await ask('/v2/library/busybox/manifests/1.35?ns=quay.io')).status).toBe(404);
});

/** Writes an archive as `ctr images export` does: the index holds two platforms and an attestation, the archive one. */
async function exportImage(name: string, image: string, layer: Buffer) {
  const parts = join(folder, `${name}.parts`);
  const OCI = 'application/vnd.oci.image';
  const put = async (bytes: Buffer, mediaType: string, more: object = {}) => {
    await mkdir(join(parts, 'blobs/sha256'), { recursive: true });
    await writeFile(join(parts, 'blobs/sha256', sha256(bytes)), bytes);
    return { mediaType, digest: `sha256:${sha256(bytes)}`, size: bytes.length, ...more };
  };
  const putJson = (content: object, mediaType: string, more: object = {}) =>
    put(Buffer.from(JSON.stringify(content)), mediaType, more);
  const config = await putJson({ architecture: 'amd64' }, `${OCI}.config.v1+json`);
  const content = { schemaVersion: 2, config, layers: [await put(layer, `${OCI}.layer.v1.tar+gzip`)] };
  const manifest = await putJson(content, `${OCI}.manifest.v1+json`, { platform: { architecture: 'amd64' } });
  const absent = (architecture: string) => ({
    ...manifest,
    digest: `sha256:${sha256(architecture)}`,
    platform: { architecture },
  });
  const all = { schemaVersion: 2, manifests: [absent('arm64'), manifest, absent('unknown')] };
  const index = await putJson(all, `${OCI}.index.v1+json`, { annotations: { 'io.containerd.image.name': image } });
  await writeFile(join(parts, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [index] }));
  await writeFile(join(parts, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  await execa('tar', ['-C', parts, '-cf', join(folder, `${name}.tar`), 'blobs', 'index.json', 'oci-layout']);
  return { index, manifest, config, absent: absent('arm64') };
}

test('an image that a registry gave is served with the digests it has there, each with its type', async () => {
  const layer = randomBytes(100_000);
  const { index, manifest, config, absent } = await exportImage('pulled', 'registry.k8s.io/team/pulled:v1', layer);
  await listAssets('pulled');
  const byTag = await ask('/v2/team/pulled/manifests/v1?ns=registry.k8s.io');
  expect(byTag.headers).toMatchObject({
    'content-type': index.mediaType,
    'docker-content-digest': index.digest,
  });
  expect(`sha256:${sha256(byTag.body)}`).toBe(index.digest);
  const ofPlatform = await ask(`/v2/team/pulled/manifests/${manifest.digest}`);
  expect(ofPlatform.headers['content-type']).toBe(manifest.mediaType);
  for (const digest of [config.digest, `sha256:${sha256(layer)}`]) {
    expect(`sha256:${sha256((await ask(`/v2/team/pulled/blobs/${digest}`)).body)}`).toBe(digest);
    expect((await ask(`/v2/team/pulled/manifests/${digest}`)).status).toBe(404);
  }
  expect((await ask(`/v2/team/pulled/manifests/${absent.digest}`)).status).toBe(404);
  expect(said).toEqual([]);
});

test('an archive that is written again is served as it is now', async () => {
  await oneImage();
  await save('one', 'registry.k8s.io/team/one:v2', [randomBytes(20)]);
  expect((await ask('/v2/team/one/manifests/v1?ns=registry.k8s.io')).status).toBe(404);
  expect((await ask('/v2/team/one/manifests/v2?ns=registry.k8s.io')).status).toBe(200);
});

test('an archive that cannot be read is named in the log, and the others are served', async () => {
  await oneImage();
  await writeFile(join(folder, 'broken.tar'), 'no archive');
  await writeFile(join(folder, 'cut.tar'), Buffer.alloc(512, 'x'));
  await listAssets('broken', 'cut', 'one');
  expect((await ask('/v2/team/one/manifests/v1?ns=registry.k8s.io')).status).toBe(200);
  expect(said.join('\n')).toMatch(/archive not served file=broken\.tar[^]*archive not served file=cut\.tar/);
});

test.each([
  ['/v2/', 'GET', 200],
  ['/v2/team/one/manifests/v9?ns=registry.k8s.io', 'GET', 404],
  [`/v2/team/one/blobs/sha256:${'0'.repeat(64)}`, 'GET', 404],
  ['/v2/../../etc/passwd', 'GET', 404],
  ['/v2/team/one/blobs/..%2f..%2findex.json', 'GET', 404],
  ['/v2/team/one/blobs/uploads/', 'POST', 405],
  ['/v2/team/one/manifests/v1', 'PUT', 405],
  ['/v2/team/one/manifests/v1', 'DELETE', 405],
])('%s by %s is answered %i', async (path, method, status) => {
  await oneImage();
  expect((await ask(path, method)).status).toBe(status);
});
