import { createHash } from 'node:crypto';
import { lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { printKeyset } from '@kopsctl/pki/keyset.ts';
import type { JsonObject, Task } from '@kopsctl/tasks/task.ts';
import { pack } from 'tar-stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeHandlers } from './handlers.ts';
import { CLUSTER, failures, temporaryHost, type TemporaryHost } from './testing/temporary-host.ts';

let host: TemporaryHost;
let tasks: readonly Task[];

const ifAbsent = { ifAbsent: true } as const;
const task = (kind: string, name: string, props: JsonObject): Task => ({ kind, name, props });
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function archive(): Promise<Buffer> {
  const tar = pack();
  tar.entry({ name: 'release/bin/tool', mode: 0o755 }, 'a program');
  tar.entry({ name: 'release/bin/link', type: 'symlink', linkname: 'tool' });
  tar.finalize();
  return buffer(tar);
}

beforeEach(async () => {
  host = await temporaryHost();
  const mirror = `${host.root}.mirror`;
  await mkdir(mirror);
  const tar = await archive();
  await writeFile(join(mirror, 'release.tar'), tar);
  await writeFile(join(mirror, 'kubelet'), 'kubelet');
  const keyset = await createCertificateAuthority({ commonName: 'kubernetes-ca', nowMs: Date.now() });
  const yaml = Buffer.from(printKeyset(keyset));
  await host.store.write(`${CLUSTER}/pki/private/kubernetes-ca/keyset.yaml`, yaml, ifAbsent);
  await host.store.write(`${CLUSTER}/pki/issued/kubernetes-ca/keyset.yaml`, yaml, ifAbsent);
  const secret = Buffer.from(JSON.stringify({ Data: Buffer.from('hunter2').toString('base64') }));
  await host.store.write(`${CLUSTER}/secrets/token`, secret, ifAbsent);
  const url = (file: string) => pathToFileURL(join(mirror, file)).href;
  tasks = [
    task('Asset', 'kubelet', { urls: [url('kubelet')], sha256: sha256(Buffer.from('kubelet')) }),
    task('Asset', 'release', { urls: [url('release.tar')], sha256: sha256(tar) }),
    task('Archive', 'release', {
      assetPath: { ref: 'Asset/release', output: 'path' },
      identity: sha256(tar),
      into: '/opt/release',
      strip: 1,
    }),
    task('File', 'kubelet', {
      path: '/usr/local/bin/kubelet',
      mode: '0755',
      content: { assetPath: { ref: 'Asset/kubelet', output: 'path' }, sha256: sha256(Buffer.from('kubelet')) },
    }),
    task('File', 'text', { path: '/etc/demo.conf', mode: '0644', content: { text: 'a = 1\n' } }),
    task('File', 'bytes', { path: '/etc/demo.bin', mode: '0600', content: { base64: 'AAEC' } }),
    task('File', 'secret', {
      path: '/etc/demo.token',
      mode: '0600',
      sensitive: true,
      content: { secret: 'token', template: 'token=@{secret}\n' },
    }),
    task('File', 'ca', {
      path: '/srv/kubernetes/ca.crt',
      mode: '0644',
      content: { keyset: 'kubernetes-ca', part: 'certificates' },
    }),
    task('Directory', 'data', { path: '/var/lib/demo', mode: '0700' }),
    task('Symlink', 'tool', { path: '/usr/local/bin/tool', target: '/opt/release/bin/tool' }),
    task('Certificate', 'kubelet', {
      certificatePath: '/srv/kubernetes/kubelet.crt',
      keyPath: '/srv/kubernetes/kubelet.key',
      signer: 'kubernetes-ca',
      commonName: 'system:node:a',
      organizations: ['system:nodes'],
      usages: ['client'],
      validityDays: 30,
    }),
    task('File', 'unit', {
      path: '/etc/systemd/system/demo.service',
      mode: '0644',
      content: { text: '[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n' },
    }),
    task('Service', 'demo', {
      unit: 'demo.service',
      enabled: true,
      running: true,
      restartOn: [{ ref: 'File/unit' }],
      restartOnPaths: ['/etc/systemd/system/demo.service'],
    }),
    task('KernelModule', 'br_netfilter', { name: 'br_netfilter' }),
    task('Sysctls', 'net', { values: { 'net.ipv4.ip_forward': '1' } }),
    task('Package', 'demo', { name: 'a-package-that-nobody-has' }),
    task('Image', 'pause', {
      runtime: 'containerd',
      urls: [url('release.tar')],
      sha256: sha256(tar),
      image: 'k8s.gcr.io/pause:3.2',
    }),
    task('BindMount', 'data', { source: '/var/lib/demo', mountPoint: '/mnt/demo', options: ['exec'] }),
  ];
});
afterEach(async () => {
  await host.remove();
  await rm(`${host.root}.mirror`, { recursive: true });
});

const text = (path: string) => readFile(join(host.root, path), 'utf8');
const mode = async (path: string) => ((await lstat(join(host.root, path))).mode & 0o7777).toString(8);

test('a dry run changes nothing', async () => {
  const before = await host.snapshot();
  const result = await host.plan(tasks);
  expect(failures(result)).toEqual([]);
  expect(result.changed).toBeGreaterThan(10);
  expect(await host.snapshot()).toEqual(before);
});

test('a second run finds nothing to do, whatever the kind of task', async () => {
  expect(failures(await host.apply(tasks))).toEqual([]);
  const made = await host.snapshot();
  const second = await host.apply(tasks);
  expect(second.tasks.filter(({ steps }) => steps.length > 0)).toEqual([]);
  expect(await host.snapshot()).toEqual(made);
});

test('what the plan says is there, with its mode', async () => {
  await host.apply(tasks);
  expect(await text('usr/local/bin/kubelet')).toBe('kubelet');
  expect(await mode('usr/local/bin/kubelet')).toBe('755');
  expect(await text('opt/release/bin/tool')).toBe('a program');
  expect(await text('etc/demo.token')).toBe('token=hunter2\n');
  expect(await text('srv/kubernetes/ca.crt')).toContain('BEGIN CERTIFICATE');
  expect(await mode('srv/kubernetes/kubelet.key')).toBe('600');
  expect(await mode('var/lib/demo')).toBe('700');
});

test('a folder is not the running host: its kernel, mounts, packages and images are left alone, by name', async () => {
  const { tasks: results } = await host.apply(tasks);
  const warned = results.filter(({ warnings }) => warnings.length > 0).map(({ id }) => id);
  expect(warned.toSorted()).toEqual([
    'BindMount/data',
    'Image/pause',
    'KernelModule/br_netfilter',
    'Package/demo',
    'Sysctls/net',
  ]);
});

test('what was changed by hand is shown as a difference and corrected', async () => {
  await host.apply(tasks);
  await writeFile(join(host.root, 'etc/demo.conf'), 'a = 2\n');
  await writeFile(join(host.root, 'etc/demo.token'), 'token=stolen\n');
  await writeFile(join(host.root, 'usr/local/bin/kubelet'), 'kubele!');
  await writeFile(join(host.root, 'opt/release/bin/tool'), '');
  const planned = await host.plan(tasks);
  const changed = planned.tasks.filter(({ steps }) => steps.length > 0);
  expect(changed.map(({ id }) => id).toSorted()).toEqual([
    'Archive/release',
    'File/kubelet',
    'File/secret',
    'File/text',
  ]);
  const shown = JSON.stringify(planned);
  expect(shown).toContain('-a = 2');
  expect(shown).toContain('+a = 1');
  expect(shown).not.toContain('hunter2');
  expect(shown).not.toContain('stolen');
  expect(failures(await host.apply(tasks))).toEqual([]);
  expect((await host.plan(tasks)).changed).toBe(0);
});

test.each([
  ['a certificate', 'srv/kubernetes/kubelet.crt'],
  ['a private key', 'srv/kubernetes/kubelet.key'],
  ['a binary', 'usr/local/bin/kubelet'],
  ['the record of an archive', 'var/lib/kops/archives/release.json'],
])('%s that a power failure emptied is made again', async (_what, path) => {
  await host.apply(tasks);
  await writeFile(join(host.root, path), '');
  expect(failures(await host.apply(tasks))).toEqual([]);
  expect((await lstat(join(host.root, path))).size).toBeGreaterThan(0);
  expect((await host.plan(tasks)).changed).toBe(0);
});

test.each([
  [
    'File',
    {
      path: '/usr/local/bin/other',
      mode: '0755',
      content: { assetPath: '/changed', sha256: sha256(Buffer.from('kubelet')) },
    },
  ],
  ['Archive', { assetPath: '/changed', identity: sha256(Buffer.from('kubelet')), into: '/opt/other' }],
])('a file that changed after its download is not used: %s', async (kind, props) => {
  const changed = await archive();
  await writeFile(join(host.root, 'changed'), changed);
  const result = await host.apply([task(kind, 'other', props)]);
  expect(failures(result).join()).toContain(`its SHA-256 is ${sha256(changed)}`);
  expect(result.tasks[0]?.attempts).toBe(1);
  await expect(lstat(join(host.root, 'usr/local/bin/other'))).rejects.toThrow('ENOENT');
  await expect(lstat(join(host.root, 'opt/other'))).rejects.toThrow('ENOENT');
});

test('a folder where a file belongs is not removed: the task fails at once and says what to do', async () => {
  await mkdir(join(host.root, 'etc/demo.conf/kept'), { recursive: true });
  const result = await host.apply(tasks.filter(({ name }) => name === 'text'));
  expect(failures(result).join()).toContain('a folder is there');
  expect(result.tasks[0]?.attempts).toBe(1);
  expect(result.tasks[0]?.hint).toContain('mv ');
});

test('a secret that the store does not hold fails only its own task, with a hint', async () => {
  await host.store.delete(`${CLUSTER}/secrets/token`);
  const result = await host.apply(tasks);
  expect(failures(result)).toEqual([expect.stringContaining(`cannot read ${CLUSTER}/secrets/token`)]);
  expect(result.failed).toBe(1);
});

test('every kind of task has a handler that refuses props it does not know', () => {
  for (const handler of nodeHandlers) {
    expect(() => handler.parse({ nonsense: true })).toThrow(/nonsense|expected/);
  }
});
