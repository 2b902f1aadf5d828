import { once } from 'node:events';
import { copyFile, cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { withPrivateContainerd } from '@kopsctl/assets/private-containerd.ts';
import { makeLog } from '@kopsctl/agent/log.ts';
import { imageLibrary } from '@kopsctl/clouds/local/control/registry/image-library.ts';
import { createRegistryServer } from '@kopsctl/clouds/local/control/registry/registry-server.ts';
import { openHttp } from '@kopsctl/http/http.ts';
import { findPeer } from '@kopsctl/test-peers/provide.ts';
import { execa } from 'execa';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { aptRoot } from './apt-root.ts';
import type { CachedFolder } from './cached-folder.ts';
import { fromRegistry } from './from-registry.ts';
import { DEFAULT_CACHE, makeAssets, prepareAssets } from './prepare-assets.ts';
import type { Registries } from './registries.ts';
import { publishImage } from './testing/published-image.ts';
import { withDocker } from './testing/test-docker.ts';
import { startRegistry } from './testing/test-registry.ts';
import type { TestRegistry } from './testing/test-registry.ts';

/** On a machine that has never made them, these programs are compiled. */
const BUILD_MS = 30 * 60_000;

const peer = await findPeer('registry');

describe.skipIf(peer === undefined)('an image of a registry', () => {
  let programs: ReadonlyMap<string, CachedFolder>;
  let folder: string;
  let registry: TestRegistry;
  let registries: Registries;
  let log: string[];
  beforeAll(async () => {
    programs = await makeAssets({
      only: ['programs/containerd-1', 'programs/containerd-2', 'programs/docker'],
      log: () => undefined,
    });
  }, BUILD_MS);
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'kops-registry-'));
    registry = await startRegistry(path.join(peer?.root ?? '', 'registry'), folder);
    registries = { whyNot: async () => undefined, digestOf: () => undefined, hostsDir: registry.hostsDir };
    log = [];
  });
  afterEach(async () => {
    await registry.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const binOf = (thing: string): string => programs.get(thing)?.dir ?? '';
  const publish = (kind: 'oci' | 'docker' = 'oci') =>
    publishImage(registry.base, 'team/tool', 'v1.2', kind, path.join(folder, 'parts'));

  async function pull(wanted?: string) {
    const dir = await mkdtemp(path.join(folder, 'made-'));
    const image = { thing: 'image/tool', name: 'tool', version: '1.2', reference: 'registry.test/team/tool:v1.2' };
    const [made] = await fromRegistry(image, 'amd64', { ...registries, digestOf: () => wanted }).make({
      arch: 'amd64',
      dir,
      scratch: dir,
      apt: aptRoot(path.join(folder, 'apt'), () => []),
      http: openHttp({ keepAlive: false }),
      cacheDir: path.join(folder, 'cache'),
      log: (line) => log.push(line),
      need: (thing) => programs.get(thing) ?? { dir: '', files: [] },
      compileInTurn: (work) => work(),
    });
    return { ...made, archive: path.join(dir, made?.file ?? '') };
  }

  /** What a containerd that has nothing yet lists after importing the archive. */
  async function imported(bin: string, archive: string) {
    const own = { program: path.join(bin, 'containerd'), root: path.join(folder, 'root'), purpose: 'test an archive' };
    return withPrivateContainerd(own, async (socket) => {
      const ctr = async (...args: readonly string[]) => {
        const { stdout } = await execa(path.join(bin, 'ctr'), ['--address', socket, 'images', ...args]);
        return stdout
          .split('\n')
          .slice(1)
          .map((line) => line.split(/\s+/));
      };
      await ctr('import', archive);
      const [[name, , digest] = []] = await ctr('list');
      return { name, digest, checked: (await ctr('check')).flat() };
    });
  }

  test.each([
    ['oci', 'programs/containerd-2'],
    ['docker', 'programs/containerd-2'],
    ['oci', 'programs/containerd-1'],
  ] as const)('of kind %s is imported by %s under its name and digest, complete and unpacked', async (kind, thing) => {
    const digest = await publish(kind);
    const { archive, ...made } = await pull(digest);
    expect(made).toEqual({
      name: 'image/tool',
      version: '1.2',
      file: 'tool-v1.2-linux-amd64.tar',
      image: 'registry.test/team/tool:v1.2',
      digest,
    });
    const { checked, ...found } = await imported(binOf(thing), archive);
    expect(found).toEqual({ name: 'registry.test/team/tool:v1.2', digest });
    expect(checked).toEqual(expect.arrayContaining(['complete', 'true']));
    expect(log).toEqual([]);
  });

  test('holds what its platform needs and no other', async () => {
    const { archive } = await pull(await publish());
    const { stdout } = await execa('tar', ['-tf', archive]);
    const names = stdout.split('\n');
    // The index, and a manifest, a configuration and a layer of amd64.
    expect(names.filter((name) => /^blobs\/sha256\/./.test(name))).toHaveLength(4);
  });

  test.each(['oci', 'docker'] as const)('of kind %s is loaded by Docker under its name', async (kind) => {
    await publish(kind);
    const { archive } = await pull();
    await withDocker(binOf('programs/docker'), folder, async (docker) => {
      expect(await docker('load', '--input', archive)).toBe('Loaded image: registry.test/team/tool:v1.2');
      const format = '{{.RepoTags}} {{.Architecture}} {{.Config.Entrypoint}}';
      const found = await docker('image', 'inspect', '--format', format, 'registry.test/team/tool:v1.2');
      expect(found).toBe('[registry.test/team/tool:v1.2] amd64 [/program]');
    });
  });

  test('is pulled again, with its digest, from the registry of local machines', async () => {
    const digest = await publish();
    const { archive, ...asset } = await pull(digest);
    const assets = path.join(folder, 'assets');
    await mkdir(assets);
    await copyFile(archive, path.join(assets, asset.file ?? ''));
    const entry = { ...asset, arch: 'amd64', sha256: 'a'.repeat(64), size: 1 };
    await writeFile(path.join(assets, 'index.json'), JSON.stringify({ assets: [entry] }));
    const said: string[] = [];
    const registryLog = makeLog((line) => said.push(line), false, 'registry');
    const library = imageLibrary(() => assets, registryLog);
    const server = createRegistryServer(library, registryLog).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const hostsDir = path.join(folder, 'mirror');
    await mkdir(path.join(hostsDir, 'registry.test'), { recursive: true });
    await writeFile(
      path.join(hostsDir, 'registry.test/hosts.toml'),
      `server = "https://registry.test"\n[host."http://127.0.0.1:${port}"]\n  capabilities = ["pull", "resolve"]\n`,
    );
    registries = { ...registries, hostsDir };
    const again = await pull(digest);
    server.close();
    expect((await readFile(again.archive)).equals(await readFile(archive))).toBe(true);
    expect(said).toEqual([]);
  });

  test('that is not in the table is named by its digest', async () => {
    const digest = await publish();
    expect((await pull()).digest).toBe(digest);
    expect(log).toEqual([`registry.test/team/tool:v1.2 is ${digest}, which is not in the table of digests`]);
  });

  test('whose tag was pushed again is refused before it is downloaded, until its record is deleted', async () => {
    const first = await publish();
    await pull();
    await rm(path.join(folder, 'parts'), { recursive: true });
    const second = await publish();
    const before = registry.givenBytes();
    const taken = path.join(folder, 'cache/taken');
    const [name = ''] = await readdir(taken);
    await expect(pull()).rejects.toMatchObject({
      message: `cannot pull the image registry.test/team/tool:v1.2: its hash is ${second} now, and was ${first} when it was taken first`,
      next: expect.stringContaining(`delete ${path.join(taken, name)}`),
    });
    expect(registry.givenBytes()).toBe(before);
    await rm(path.join(taken, name));
    expect((await pull()).digest).toBe(second);
  });

  test('with another digest than that of the table is refused before it is downloaded', async () => {
    const digest = await publish();
    const wanted = `sha256:${'0'.repeat(64)}`;
    await expect(pull(wanted)).rejects.toThrow(
      `cannot pull the image registry.test/team/tool:v1.2: its registry has ${digest}, but ${wanted} is in the table`,
    );
    expect(registry.givenBytes()).toBe(0);
  });

  test('that the registry does not have is left to the next source', async () => {
    await expect(pull()).rejects.toMatchObject({
      name: 'NotProvided',
      message: 'registry.test does not provide it: registry.test/team/tool:v1.2: not found',
    });
  });

  test('goes on in the next run where a broken download ended', async () => {
    const digest = await publish();
    registry.allow(1_500_000);
    await expect(pull(digest)).rejects.toMatchObject({
      next: 'run the same command again: what was downloaded is kept',
    });
    const before = registry.givenBytes();
    registry.allow(Infinity);
    await pull(digest);
    // The whole image has 3 MB. What was in transit when the connection broke is lost.
    expect(registry.givenBytes() - before).toBeLessThan(2_500_000);
    expect(await readdir(path.join(folder, 'cache/downloads'))).toEqual([]);
  });

  test('is made here where its registry does not have it or does not answer, and the log says why', async () => {
    // A cache of its own, so that nothing else takes images of this registry for pause.
    const cacheDir = path.join(folder, 'own-cache');
    await mkdir(path.join(cacheDir, 'apt'), { recursive: true });
    await copyFile(path.join(DEFAULT_CACHE, 'apt/resolution.json'), path.join(cacheDir, 'apt/resolution.json'));
    await symlink(path.join(DEFAULT_CACHE, 'built'), path.join(cacheDir, 'built'));
    await cp(path.join(registry.hostsDir, 'registry.test'), path.join(registry.hostsDir, 'registry.k8s.io'), {
      recursive: true,
    });
    const make = async (others: Registries) => {
      await rm(path.join(cacheDir, 'image'), { recursive: true, force: true });
      log = [];
      const say = (line: string) => void log.push(line);
      const only = ['image/pause'];
      const out = path.join(folder, 'assets');
      const { assets } = await prepareAssets({ only, out, cacheDir, registries: others, log: say });
      const line = log.filter((one) => one.startsWith('image/pause 3.10.1: '));
      return { digest: assets[0]?.digest, line: line.join().replace(/[\d.]+ s/, 'N s') };
    };
    expect(await make(registries)).toEqual({
      digest: undefined,
      line:
        'image/pause 3.10.1: made from programs/pause in N s, because registry.k8s.io does not provide it: ' +
        'registry.k8s.io/pause:3.10.1: not found',
    });
    const whyNot = async (host: string) => `${host} does not answer: ENOTFOUND`;
    expect(await make({ ...registries, whyNot })).toEqual({
      digest: undefined,
      line: 'image/pause 3.10.1: made from programs/pause in N s, because registry.k8s.io does not answer: ENOTFOUND',
    });
    const digest = await publishImage(registry.base, 'pause', '3.10.1', 'docker', path.join(folder, 'parts'));
    expect(await make(registries)).toEqual({
      digest,
      line: 'image/pause 3.10.1: made from registry.k8s.io in N s',
    });
  });
});
