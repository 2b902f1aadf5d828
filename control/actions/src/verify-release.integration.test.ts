import {
  appendFile,
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { verifyRelease } from './verify-release.ts';

let dir: string;
let release: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kops-verify-'));
  release = join(dir, 'release');
  await mkdir(release);
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(release, 'a'), 'first');
  await writeFile(join(release, 'b'), 'second');
});

/** Signed as OpenSSH does it: it is the witness that our reading of its format is right. */
async function signed(type = 'ed25519', namespace = 'kopsctl-release'): Promise<string> {
  const key = join(dir, `${type}-${namespace}`);
  await execa('ssh-keygen', ['-q', '-t', type, '-N', '', '-f', key]);
  await execa('sha256sum a b >SHA256SUMS', { cwd: release, shell: true });
  await execa('ssh-keygen', ['-q', '-Y', 'sign', '-n', namespace, '-f', key, 'SHA256SUMS'], { cwd: release });
  return `${key}.pub`;
}

test.each(['ed25519', 'ecdsa', 'rsa'])('a release that was signed with a key of type %s is verified', async (type) => {
  const key = await signed(type);
  expect(await verifyRelease(release, key)).toEqual([{ name: 'a' }, { name: 'b' }]);
  expect(await verifyRelease(join(release, 'b'), key)).toEqual([{ name: 'b' }]);
});

describe('a file is not verified', () => {
  test('when it was altered', async () => {
    const key = await signed();
    await appendFile(join(release, 'a'), '!');
    expect(await verifyRelease(release, key)).toEqual([
      { name: 'a', fault: expect.stringContaining('its SHA-256 is') },
      { name: 'b' },
    ]);
  });

  test('when it is missing, a link, a folder, or not in the list', async () => {
    const key = await signed();
    await rename(join(release, 'a'), join(dir, 'a'));
    expect(await verifyRelease(release, key)).toContainEqual({ name: 'a', fault: 'it does not exist' });
    await symlink(join(dir, 'a'), join(release, 'a'));
    expect(await verifyRelease(release, key)).toContainEqual({ name: 'a', fault: 'it is a symbolic link' });
    await rm(join(release, 'a'));
    await mkdir(join(release, 'a'));
    expect(await verifyRelease(release, key)).toContainEqual({ name: 'a', fault: 'it is not a regular file' });
    await writeFile(join(release, 'c'), 'another');
    expect(await verifyRelease(release, key)).toContainEqual({ name: 'c', fault: 'SHA256SUMS does not list it' });
    expect(await verifyRelease(join(release, 'c'), key)).toEqual([{ name: 'c', fault: 'SHA256SUMS does not list it' }]);
  });

  test('when it is larger than any artefact', async () => {
    const key = await signed();
    // Sparse: it takes no room.
    await truncate(join(release, 'a'), 2 ** 42);
    const [a] = await verifyRelease(join(release, 'a'), key);
    expect(a?.fault).toContain('is larger than');
  });
});

describe('nothing is looked at', () => {
  test('when the list was altered', async () => {
    const key = await signed();
    const list = join(release, 'SHA256SUMS');
    await writeFile(list, (await readFile(list, 'utf8')).replace(/^./, 'f'));
    await expect(verifyRelease(release, key)).rejects.toThrow('SHA256SUMS.sig does not match');
  });

  test('when another key signed it', async () => {
    await signed();
    const other = join(dir, 'other');
    await execa('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', other]);
    await expect(verifyRelease(release, `${other}.pub`)).rejects.toThrow('with a key other than the one given');
  });

  test('when the signature was made for something else', async () => {
    await expect(verifyRelease(release, await signed('ed25519', 'file'))).rejects.toThrow(
      'something other than a release',
    );
  });

  test('when the signature is missing, cut, or too large', async () => {
    const key = await signed();
    const signature = join(release, 'SHA256SUMS.sig');
    const whole = await readFile(signature, 'utf8');
    await writeFile(signature, whole.replace(/\n.{20}/, '\n'));
    await expect(verifyRelease(release, key)).rejects.toThrow('cannot verify');
    await writeFile(signature, 'x'.repeat(100_000));
    await expect(verifyRelease(release, key)).rejects.toThrow('is larger than');
    await rm(signature);
    await expect(verifyRelease(release, key)).rejects.toThrow('does not exist');
  });

  test('when a private key, or two keys, are given', async () => {
    const key = await signed();
    await expect(verifyRelease(release, key.replace(/\.pub$/, ''))).rejects.toThrow('lines with keys');
    await copyFile(key, `${key}2`);
    await appendFile(`${key}2`, await readFile(key));
    await expect(verifyRelease(release, `${key}2`)).rejects.toThrow('has 2 lines with keys');
  });
});
