import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeUpHashes } from '@kopsctl/actions/testing/make-up-hashes.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, test } from 'vitest';

const MAIN = join(import.meta.dirname, '../../../dist/kopsctl.cjs');
const NAME = 'demo.example.com';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-offline-'));
});
afterEach(() => rm(folder, { recursive: true }));

const state = () => `file://${join(folder, 'state')}`;
const kopsctl = (...argv: readonly string[]) => execa(process.execPath, [MAIN, ...argv, '--state', state()]);
const terraform = () =>
  kopsctl('update', 'cluster', NAME, '--target', 'terraform', '--offline', '--out', join(folder, 'out'));
const userData = async () => {
  const data = join(folder, 'out/data');
  const files = (await readdir(data)).filter((name) => name.endsWith('_user_data'));
  return Promise.all(files.map((name) => readFile(join(data, name), 'utf8')));
};

test('Offline, files without a hash are listed and never guessed; once all hashes are known, Terraform can apply', async () => {
  const place = ['--cloud', 'aws', '--zones', 'us-east-1a', '--kubernetes-version', '1.34.1'];
  await kopsctl('create', 'cluster', NAME, ...place, '--offline');
  const { stderr } = await terraform();
  const refusal = join(folder, 'out/files-without-hash.tf');
  const listed = [...(await readFile(refusal, 'utf8')).matchAll(/^ {4}"(https:.*)",$/gm)].map(([, url]) => url);
  expect(listed).toEqual([
    'https://github.com/etcd-io/etcd/releases/download/v3.5.31/etcd-v3.5.31-linux-amd64.tar.gz',
    'https://github.com/etcd-io/etcd/releases/download/v3.6.12/etcd-v3.6.12-linux-amd64.tar.gz',
    'https://github.com/kopsctl/kopsctl/releases/download/v0.1.0/kops-agents-linux-amd64',
  ]);
  expect(stderr).toContain('hashes: etcd-3.6.12 (https://');
  expect(listed.filter((url = '') => !stderr.includes(`(${url}); not read yet`))).toEqual([]);
  expect((await userData()).filter((text) => !text.includes("sha256='unknown'"))).toEqual([]);

  await makeUpHashes(await openStore(state(), {}), NAME);
  expect((await terraform()).stderr).not.toContain('table of hashes');
  expect(existsSync(refusal)).toBe(false);
  expect((await userData()).filter((text) => !/sha256='[0-9a-f]{64}'/.test(text))).toEqual([]);
});
