import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { verifyRelease } from '@kopsctl/actions/verify-release.ts';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { sign, writeChecksums } from './sign.ts';

let dir: string;
let release: string;
let key: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'kops-sign-'));
  key = path.join(dir, 'release-key');
  await execa('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  release = await mkdtemp(path.join(dir, 'release-'));
  await Promise.all(
    ['kopsctl-linux-amd64', 'kopsctl-1.2.3.tgz'].map((name) => writeFile(path.join(release, name), name)),
  );
});
afterAll(() => rm(dir, { recursive: true, force: true }));

test('what was signed is verified, again after it was signed a second time, and a file that was changed is not', async () => {
  const verified = [{ name: 'kopsctl-1.2.3.tgz' }, { name: 'kopsctl-linux-amd64' }];
  for (let round = 0; round < 2; round += 1) {
    await writeChecksums(release);
    await sign(release, key);
    expect(await verifyRelease(release, `${key}.pub`)).toEqual(verified);
  }
  expect((await readdir(release)).toSorted()).toEqual([
    'SHA256SUMS',
    'SHA256SUMS.sig',
    'kopsctl-1.2.3.tgz',
    'kopsctl-linux-amd64',
  ]);
  await writeFile(path.join(release, 'kopsctl-linux-amd64'), 'changed');
  expect((await verifyRelease(release, `${key}.pub`)).filter(({ fault }) => fault !== undefined)).toMatchObject([
    { name: 'kopsctl-linux-amd64' },
  ]);
});

test('what is not a key signs nothing, and leaves no signature of before', async () => {
  await writeChecksums(release);
  await sign(release, key);
  await expect(sign(release, path.join(dir, 'no-key'))).rejects.toThrow(/no-key.*/);
  expect(await readdir(release)).not.toContain('SHA256SUMS.sig');
});
