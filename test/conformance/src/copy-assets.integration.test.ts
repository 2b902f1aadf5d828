import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyFile } from '@kopsctl/actions/assets/copy-file.ts';
import { copyImage } from '@kopsctl/actions/assets/registry/copy-image.ts';
import { registryClient } from '@kopsctl/actions/assets/registry/registry-client.ts';
import { openHttp } from '@kopsctl/http/http.ts';
import { publishImage } from '@kopsctl/packaging-assets/testing/published-image.ts';
import { startRegistry, type TestRegistry } from '@kopsctl/packaging-assets/testing/test-registry.ts';
import { createFileStore } from '@kopsctl/state-store/file/file-store.ts';
import { findPeer } from '@kopsctl/test-peers/provide.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const { signal } = new AbortController();
const http = openHttp({ keepAlive: false });

/** Without these the registry gives one platform of several. */
const MANIFESTS = ['index.v1+json', 'manifest.v1+json']
  .map((type) => `application/vnd.oci.image.${type}`)
  .concat(['list.v2+json', 'v2+json'].map((type) => `application/vnd.docker.distribution.manifest.${type}`))
  .join(', ');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-copy-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('a file of a project', () => {
  const content = Buffer.alloc(300_000, 'kubelet');
  const sha256 = createHash('sha256').update(content).digest('hex');

  async function withProject<T>(work: (from: string, asked: () => number) => Promise<T>): Promise<T> {
    let asked = 0;
    const server = createServer((_request, answer) => {
      asked++;
      answer.end(content);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    try {
      return await work(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/kubelet`, () => asked);
    } finally {
      server.close();
    }
  }

  test('is copied once, with its hash beside it', async () => {
    const store = createFileStore(`file://${folder}`);
    await withProject(async (from, asked) => {
      const file = { from, path: 'release/v1/kubelet', sha256 };
      expect(await copyFile(http, store, file, signal)).toBe(true);
      expect(await copyFile(http, store, file, signal)).toBe(false);
      expect(asked()).toBe(1);
      await rm(join(folder, 'release/v1/kubelet.sha256'));
      expect(await copyFile(http, store, file, signal)).toBe(true);
    });
    expect(await readFile(join(folder, 'release/v1/kubelet'))).toEqual(content);
    expect(await readFile(join(folder, 'release/v1/kubelet.sha256'), 'utf8')).toBe(`${sha256}\n`);
  });

  test('that is not what was published leaves nothing in the repository', async () => {
    const store = createFileStore(`file://${folder}`);
    await withProject(async (from) => {
      const copying = copyFile(http, store, { from, path: 'release/kubelet', sha256: 'f'.repeat(64) }, signal);
      await expect(copying).rejects.toThrow(`its SHA-256 is ${sha256}`);
    });
    const left = await readdir(folder, { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile() && entry.name.includes('kubelet'))).toEqual([]);
  });
});

const peer = await findPeer('registry');

describe.skipIf(peer === undefined)('an image of a registry', () => {
  let registry: TestRegistry;
  beforeEach(async () => {
    registry = await startRegistry(join(peer?.root ?? '', 'registry'), folder);
  });
  afterEach(() => registry.stop());

  test.each(['oci', 'docker'] as const)(
    'of kind %s is copied once, for all platforms, under its digest',
    async (kind) => {
      const digest = await publishImage(registry.base, 'team/tool', 'v1.2', kind, join(folder, 'parts'));
      const host = registry.base.replace('http://', '');
      const image = { from: `${host}/team/tool:v1.2`, to: `${host}/mirror/team-tool:v1.2` };
      const client = registryClient(http, new Map());
      expect(await copyImage(client, image, signal)).toBe(true);
      expect(await copyImage(client, image, signal)).toBe(false);

      const read = async (path: string) =>
        fetch(`${registry.base}/v2/mirror/team-tool/${path}`, { headers: { accept: MANIFESTS } });
      const index = await read('manifests/v1.2');
      expect(index.headers.get('docker-content-digest')).toBe(digest);
      const { manifests } = (await index.json()) as { manifests: { digest: string }[] };
      expect(manifests).toHaveLength(3);
      for (const { digest: one } of manifests) {
        const manifest = (await (await read(`manifests/${one}`)).json()) as { layers: { digest: string }[] };
        for (const layer of manifest.layers) {
          const bytes = Buffer.from(await (await read(`blobs/${layer.digest}`)).arrayBuffer());
          expect(`sha256:${createHash('sha256').update(bytes).digest('hex')}`).toBe(layer.digest);
        }
      }
    },
  );

  test('that is not there is an error with its name and what the registry says', async () => {
    const host = registry.base.replace('http://', '');
    const image = { from: `${host}/team/none:v1`, to: `${host}/mirror/none:v1` };
    const copying = copyImage(registryClient(http, new Map()), image, signal);
    await expect(copying).rejects.toThrow(/cannot copy the image .*team\/none:v1 to .*answers 404/);
  });
});
