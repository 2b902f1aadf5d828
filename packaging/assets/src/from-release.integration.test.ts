import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { openHttp } from '@kopsctl/http/http.ts';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { aptRoot } from './apt-root.ts';
import { cniRow, containerdRow, etcdRow, kubernetesRow, type ProgramRow, runcRow } from './programs.ts';
import type { Kitchen } from './recipe.ts';

/** The path of each file at its publisher, after the name of the host. The table of hashes has none of these versions. */
const GITHUB = '/github.com';
const ETCD = `${GITHUB}/etcd-io/etcd/releases/download/v3.6.99`;
const CONTAINERD = `${GITHUB}/containerd/containerd/releases/download/v2.3.99`;
const RUNC = `${GITHUB}/opencontainers/runc/releases/download/v1.4.99`;
const CNI = `${GITHUB}/containernetworking/plugins/releases/download/v1.9.99`;
const KUBERNETES = '/dl.k8s.io/release/v1.36.99/bin/linux/amd64';

let dir: string;
let server: Server;
/** What publishers have, by path; a number is the status of an answer to GET, though HEAD says that all is well. */
let files: Map<string, Uint8Array | string | number>;
let log: string[];
/** Publishers' own addresses, at the server that stands for all of them. */
let http: Kitchen['http'];
const real = openHttp({ keepAlive: false });

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'kops-from-release-'));
  files = new Map();
  log = [];
  server = createServer(({ url = '', method }, response) => {
    const found = files.get(url);
    if (found === undefined) response.writeHead(404).end();
    else if (method === 'HEAD') response.end();
    else if (typeof found === 'number') response.writeHead(found).end();
    else response.end(found);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const base = `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}`;
  http = {
    stream: (question, signal) =>
      real.stream({ ...question, url: String(question.url).replace('https:/', base) }, signal),
  };
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  await rm(dir, { recursive: true, force: true });
});

const sha256 = (content: Uint8Array | string): string => createHash('sha256').update(content).digest('hex');

/** An archive as a project packs it. */
async function archive(...members: readonly string[]): Promise<Buffer> {
  const tree = await mkdtemp(path.join(dir, 'tree-'));
  for (const member of members) {
    await mkdir(path.dirname(path.join(tree, member)), { recursive: true });
    await writeFile(path.join(tree, member), `this is ${member}`);
    await chmod(path.join(tree, member), 0o644);
  }
  const file = path.join(tree, '.archive.tar.gz');
  await execa('tar', ['--create', '--gzip', `--file=${file}`, `--directory=${tree}`, ...(await readdir(tree))]);
  return readFile(file);
}

async function provide({ sources: [source] }: ProgramRow) {
  const into = await mkdtemp(path.join(dir, 'made-'));
  const scratch = await mkdtemp(path.join(dir, 'scratch-'));
  const isReachable = await source.isReachable(http);
  const version = await source.provide({
    arch: 'amd64',
    dir: into,
    scratch,
    http,
    apt: aptRoot(path.join(dir, 'apt'), () => []),
    cacheDir: path.join(dir, 'cache'),
    log: (line) => log.push(line),
    need: () => ({ dir: '', files: [] }),
    compileInTurn: (work) => work(),
  });
  const names = (await readdir(into)).toSorted();
  const programs: Record<string, string> = {};
  for (const name of names) {
    programs[name] = await readFile(path.join(into, name), 'utf8');
    expect((await stat(path.join(into, name))).mode & 0o777).toBe(0o755);
  }
  return { isReachable, version, programs };
}

const ETCD_FOLDER = 'etcd-v3.6.99-linux-amd64';

async function publishEtcd(): Promise<Buffer> {
  const content = await archive(
    ...['etcd', 'etcdctl', 'etcdutl', 'README.md', 'Documentation/README.md'].map((name) => `${ETCD_FOLDER}/${name}`),
  );
  files.set(`${ETCD}/${ETCD_FOLDER}.tar.gz`, content);
  const others = ['etcd-v3.6.99-darwin-amd64.zip', 'etcd-v3.6.99-linux-arm64.tar.gz'];
  const lines = [...others.map((name) => `${'0'.repeat(64)}  ${name}`), `${sha256(content)}  ${ETCD_FOLDER}.tar.gz`];
  files.set(`${ETCD}/SHA256SUMS`, `${lines.join('\n')}\n`);
  return content;
}

test('etcd comes from an archive with a folder of its own, and its hash from the list of the release', async () => {
  const content = await publishEtcd();
  expect(await provide(etcdRow({ release: '3.6.99', module: '3.6.16' }, 'amd64'))).toEqual({
    isReachable: true,
    version: '3.6.99',
    programs: Object.fromEntries(
      ['etcd', 'etcdctl', 'etcdutl'].map((name) => [name, `this is ${ETCD_FOLDER}/${name}`]),
    ),
  });
  const url = `https:/${ETCD}/${ETCD_FOLDER}.tar.gz`;
  expect(log).toEqual([`${url} has ${sha256(content)}, which is not in the table of hashes`]);
});

test('containerd comes from bin/ of its archive, without what is not needed', async () => {
  const name = 'containerd-2.3.99-linux-amd64.tar.gz';
  const programs = ['containerd', 'containerd-shim-runc-v2', 'ctr'];
  const content = await archive(...[...programs, 'containerd-stress'].map((program) => `bin/${program}`));
  files.set(`${CONTAINERD}/${name}`, content);
  files.set(`${CONTAINERD}/${name}.sha256sum`, `${sha256(content)}  ${name}\n`);
  expect(await provide(containerdRow({ release: '2.3.99', module: '2.4.2' }, 'amd64'))).toEqual({
    isReachable: true,
    version: '2.3.99',
    programs: Object.fromEntries(programs.map((program) => [program, `this is bin/${program}`])),
  });
});

test('runc comes as it is, and its hash from a list with those for other processors', async () => {
  files.set(`${RUNC}/runc.amd64`, 'runc itself');
  files.set(`${RUNC}/runc.sha256sum`, `${'0'.repeat(64)}  runc.arm64\n${sha256('runc itself')}  runc.amd64\n`);
  expect(await provide(runcRow({ release: '1.4.99', module: '1.5.2' }, 'amd64'))).toEqual({
    isReachable: true,
    version: '1.4.99',
    programs: { runc: 'runc itself' },
  });
});

test('the CNI plugins come from the top of their archive', async () => {
  const name = 'cni-plugins-linux-amd64-v1.9.99.tgz';
  const plugins =
    'bandwidth bridge dhcp dummy firewall host-device host-local ipvlan loopback macvlan portmap ptp sbr static tap tuning vlan vrf';
  const content = await archive(...plugins.split(' '), 'LICENSE', 'README.md');
  files.set(`${CNI}/${name}`, content);
  files.set(`${CNI}/${name}.sha256`, `${sha256(content)}  ${name}\n`);
  const { programs } = await provide(cniRow({ release: '1.9.99', module: '1.9.1' }, 'amd64'));
  expect(Object.keys(programs).join(' ')).toBe(plugins);
  expect(programs['bridge']).toBe('this is bridge');
});

const PROGRAMS = ['kube-apiserver', 'kube-controller-manager', 'kube-proxy', 'kube-scheduler', 'kubectl', 'kubelet'];

function publishKubernetes(): void {
  for (const program of PROGRAMS) {
    files.set(`${KUBERNETES}/${program}`, `this is ${program}`);
    files.set(`${KUBERNETES}/${program}.sha256`, sha256(`this is ${program}`));
  }
}

test('Kubernetes comes as several files, each with its hash beside it', async () => {
  publishKubernetes();
  const { programs } = await provide(kubernetesRow('1.36.99', 'amd64'));
  expect(programs).toEqual(Object.fromEntries(PROGRAMS.map((program) => [program, `this is ${program}`])));
});

test.each([
  ['a file', 403, `${ETCD}/${ETCD_FOLDER}.tar.gz`, 'Forbidden'],
  ['a file', 404, `${ETCD}/${ETCD_FOLDER}.tar.gz`, 'Not Found'],
  ['a hash', 404, `${ETCD}/SHA256SUMS`, 'Not Found'],
])('%s that is refused with %i after a good answer to HEAD is left to the next source', async (_, status, at, text) => {
  await publishEtcd();
  files.set(at, status);
  await expect(provide(etcdRow({ release: '3.6.99', module: '3.6.16' }, 'amd64'))).rejects.toMatchObject({
    name: 'NotProvided',
    message: `github.com does not provide it: https:/${at} answered ${String(status)} ${text}`,
  });
});

test('other bytes than the published ones are refused, and no other source hides it', async () => {
  await publishEtcd();
  files.set(`${ETCD}/${ETCD_FOLDER}.tar.gz`, await archive('something-else'));
  await expect(provide(etcdRow({ release: '3.6.99', module: '3.6.16' }, 'amd64'))).rejects.toMatchObject({
    name: 'ActionableError',
  });
  publishKubernetes();
  files.set(`${KUBERNETES}/kube-apiserver`, 404);
  files.set(`${KUBERNETES}/kubelet`, 'changed on the way');
  await expect(provide(kubernetesRow('1.36.99', 'amd64'))).rejects.toThrow(
    `its SHA-256 is ${sha256('changed on the way')}, but ${sha256('this is kubelet')} is published`,
  );
});

test('a file of the table has the hash of the table, whatever its publisher says now', async () => {
  const name = 'containerd-2.3.4-linux-amd64.tar.gz';
  const at = CONTAINERD.replace('2.3.99', '2.3.4');
  const content = await archive('bin/containerd');
  files.set(`${at}/${name}`, content);
  files.set(`${at}/${name}.sha256sum`, `${sha256(content)}  ${name}\n`);
  const failed = provide(containerdRow({ release: '2.3.4', module: '2.4.2' }, 'amd64'));
  await expect(failed).rejects.toThrow(/its SHA-256 is [0-9a-f]{64}, but [0-9a-f]{64} is published/);
  expect(log).toEqual([]);
});
