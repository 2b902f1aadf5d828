import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { copyFile } from '@kopsctl/actions/assets/copy-file.ts';
import { OWN_RELEASE } from '@kopsctl/actions/cloud/agents-release.ts';
import { openHttp } from '@kopsctl/http/http.ts';
import { CLI_FLAGS } from '@kopsctl/packaging-binary/build.ts';
import { MAIN_CHUNK, ROOT } from '@kopsctl/packaging-binary/bundle.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import { execa } from 'execa';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { executableName } from './build-executables.ts';
import { bundleCli } from './bundle-cli.ts';
import { writeChecksums } from './sign.ts';
import { NAME, storeCluster, toldOfAgents } from './testing/cluster-of-machines.ts';
import { type HttpsFolder, serveByHttps } from './testing/https-folder.ts';

const TAG = `v${OWN_RELEASE.version}`;
const AGENTS = executableName('kops-agents', { os: 'linux', arch: 'amd64' });
const sha256Of = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

let dir: string;
/** The CLI of a release with these agents, and one that was built from the sources. */
let released: string;
const built = path.join(ROOT, 'dist/kopsctl.cjs');
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'kops-published-'));
  const bundle = await bundleCli(
    { amd64: sha256Of('released') },
    path.join(ROOT, 'dist/.release/cli-of-published-release'),
  );
  released = path.join(bundle.dir, MAIN_CHUNK);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

let folder: string;
let site: string;
let server: HttpsFolder;
beforeEach(async () => {
  folder = await mkdtemp(path.join(dir, 'case-'));
  site = path.join(folder, 'site');
  await mkdir(site);
  server = await serveByHttps(site, path.join(folder, 'ca.pem'));
});
afterEach(() => server.stop());

/** Lays a release out as `npm run release` does, below its tag. */
async function publish(agents: string): Promise<void> {
  const release = path.join(site, TAG);
  await mkdir(release);
  await writeFile(path.join(release, AGENTS), agents);
  await writeFile(path.join(release, executableName('kopsctl', { os: 'darwin', arch: 'arm64' })), 'the CLI');
  await writeChecksums(release);
}

async function kopsctl(main: string, argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const all = { ...env, SSL_CERT_FILE: server.caFile, KOPS_STATE_STORE: `file://${state()}`, HOME: folder };
  return (
    await execa(process.execPath, [...CLI_FLAGS, main, ...argv], {
      env: { PATH: process.env['PATH'], ...all },
      extendEnv: false,
    })
  ).stdout;
}
const state = () => path.join(folder, 'state');
const store = () => storeCluster((argv) => kopsctl(built, argv), state());

test('machines of a released kopsctl get the agents of its release, whatever anybody says of their hash', async () => {
  await store();
  await kopsctl(released, ['update', 'cluster', NAME, '--yes']);
  expect(await toldOfAgents(state())).toEqual({
    urls: [`${OWN_RELEASE.baseUrl}/${TAG}/${AGENTS}`],
    sha256: sha256Of('released'),
  });
});

test('where KOPSCTL_BASE_URL names a folder of releases, machines get the agents that its list of checksums names', async () => {
  await publish('agents of our own');
  await store();
  await kopsctl(released, ['update', 'cluster', NAME, '--yes'], { KOPSCTL_BASE_URL: server.url });
  expect(server.asked).toEqual([`/${TAG}/SHA256SUMS`]);
  const { urls, sha256 } = await toldOfAgents(state());
  expect(urls).toEqual([`${server.url}/${TAG}/${AGENTS}`]);
  const [url = ''] = urls;
  expect(sha256Of(await readFile(path.join(site, new URL(url).pathname)))).toBe(sha256);
});

test('a mirror that is filled with what `get assets` lists has the agents', async () => {
  await store();
  await kopsctl(built, ['set', 'cluster', NAME, `spec.assets.fileRepository=${server.url}/mirror`]);
  const listed = JSON.parse(await kopsctl(released, ['get', 'assets', NAME, '-o', 'json'])) as {
    readonly files: readonly { readonly canonical: string; readonly download: string; readonly sha: string }[];
  };
  const agents = listed.files.filter(({ canonical }) => canonical.endsWith(AGENTS));
  expect(agents).toEqual([
    {
      canonical: `${OWN_RELEASE.baseUrl}/${TAG}/${AGENTS}`,
      download: `${server.url}/mirror/kopsctl/kopsctl/releases/download/${TAG}/${AGENTS}`,
      sha: sha256Of('released'),
    },
  ]);

  // As --copy does; the release itself is here in place of GitHub.
  await publish('released');
  const { download = '', sha = '' } = agents[0] ?? {};
  const http = openHttp({ tls: { ca: await readFile(server.caFile, 'utf8') } });
  const copy = { from: `${server.url}/${TAG}/${AGENTS}`, path: new URL(download).pathname.slice(1), sha256: sha };
  await copyFile(http, await openStore(`file://${site}`, {}), copy, new AbortController().signal);
  http.close();

  // What was not made by a release finds the hash beside the copy.
  const recorded = path.join(state(), NAME, 'file-hashes.json');
  const hashes = JSON.parse(await readFile(recorded, 'utf8')) as Record<string, string>;
  const others = Object.entries(hashes).filter(([address]) => !address.endsWith(AGENTS));
  await writeFile(recorded, JSON.stringify(Object.fromEntries(others)));
  await kopsctl(built, ['update', 'cluster', NAME, '--yes']);
  expect(await toldOfAgents(state())).toEqual({ urls: [download, agents[0]?.canonical], sha256: sha });
});
