import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeRelease } from './make-release.ts';
import { refuseOthersThanRelease, refuseOthersThanUnfinished } from './replaceable-folder.ts';
import { writeChecksums } from './sign.ts';

let dir: string;
let out: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'kops-replaceable-'));
  out = path.join(dir, 'release');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function lay(folder: string, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), name);
  }
}

const ARTEFACTS = [
  'kopsctl-linux-amd64',
  'kops-agents-linux-amd64',
  'kopsctl_0.1.0_amd64.deb',
  'kopsctl-0.1.0.cdx.json',
];
const make = () => makeRelease({ out, targets: [], log: () => undefined });
const everything = async () => (await readdir(dir, { recursive: true })).toSorted();

test('an earlier release, signed or not, and what is not there yet, are replaced', async () => {
  const isReplaced = () => expect(refuseOthersThanRelease(out)).resolves.toBeUndefined();
  await isReplaced();
  await mkdir(out);
  await isReplaced();
  await lay(out, ...ARTEFACTS);
  await writeChecksums(out);
  await isReplaced();
  await lay(out, 'SHA256SUMS.sig');
  await isReplaced();
});

test.each([
  ['files of a person', ['thesis.tex'], /it has no SHA256SUMS/],
  ['a release and one more file', [...ARTEFACTS, 'SHA256SUMS', 'notes.txt'], /not of a release \(notes\.txt\)/],
  ['a release and a folder', [...ARTEFACTS, 'SHA256SUMS', 'photos/one.jpg'], /not of a release \(photos\/\)/],
  ['a release of which a file is not listed', [...ARTEFACTS, 'SHA256SUMS', 'kopsctl-own'], /\(kopsctl-own\)/],
])('%s are left alone', async (_what, names, why) => {
  await lay(out, ...ARTEFACTS);
  if (names.includes('SHA256SUMS')) await writeChecksums(out);
  else await rm(out, { recursive: true });
  await lay(out, ...names.filter((name) => name !== 'SHA256SUMS'));
  const before = await everything();
  await expect(make()).rejects.toThrow(why);
  expect(await everything()).toEqual(before);
});

test('a file is not a folder to be replaced', async () => {
  await lay(dir, 'release');
  await expect(make()).rejects.toThrow(/cannot make a release in .*: ENOTDIR/);
  expect(await readdir(dir)).toEqual(['release']);
});

test('downloads of others are left alone although a list of their checksums is beside them', async () => {
  await lay(out, 'debian-12.iso');
  await writeChecksums(out);
  await expect(make()).rejects.toThrow(/not of a release \(debian-12\.iso\)/);
  expect(await readdir(out)).toContain('debian-12.iso');
});

test('a list that is not one of a release is no reason to delete what is beside it', async () => {
  await lay(out, 'kopsctl-notes', 'SHA256SUMS');
  await expect(make()).rejects.toThrow(/SHA256SUMS does not end with a line feed/);
  expect(await readdir(out)).toContain('kopsctl-notes');
});

test('what a release that was not finished left is replaced, and a folder that only has its name is not', async () => {
  await lay(`${out}.new`, ...ARTEFACTS);
  await refuseOthersThanUnfinished(`${out}.new`);
  await lay(`${out}.new`, 'thesis.tex');
  await expect(make()).rejects.toThrow(/release\.new: .*\(thesis\.tex\)/);
  expect(await readdir(`${out}.new`)).toContain('thesis.tex');
});
