import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { bundle, ROOT } from '@kopsctl/packaging-binary/bundle.ts';
import { casesOf } from '@kopsctl/test-suite/long.ts';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { writeBlob } from './write-blob.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'kops-reproducible-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

test('what is injected into Node is the same from any folder', async () => {
  const made = await bundle('agents-entry.ts', path.join(ROOT, 'dist/.release/agents'));
  const blobs = await Promise.all(
    ['one', 'another folder'].map(async (name) =>
      readFile(await writeBlob({ bundle: made, flags: [], writer: process.execPath, folder: path.join(dir, name) })),
    ),
  );
  const [first = Buffer.alloc(0), second] = blobs;
  expect(first.equals(second ?? Buffer.alloc(0))).toBe(true);
  // The path of this project would differ between two builders.
  expect(first.includes(ROOT)).toBe(false);
});

/** A whole release from a copy of the sources in another folder, with its own packages; minutes, so only in the long test run. */
test.each(casesOf([], ['SHA256SUMS']))('%s of a release is the same from another folder', async (list) => {
  const copy = path.join(dir, 'copy of the sources');
  await mkdir(copy);
  const sources = 'git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$COPY"';
  await execa(sources, { cwd: ROOT, shell: true, env: { COPY: copy } });
  await execa('npm', ['ci', '--no-audit', '--no-fund'], { cwd: copy });
  const lists: string[] = [];
  for (const [folder, out] of [
    [ROOT, path.join(dir, 'here')],
    [copy, path.join(dir, 'there')],
  ] as const) {
    await execa(process.execPath, ['packaging/release/src/main.ts', '--out', out], {
      cwd: folder,
      env: { SOURCE_DATE_EPOCH: '1700000000' },
    });
    lists.push(await readFile(path.join(out, list), 'utf8'));
  }
  expect(lists[1]).toBe(lists[0]);
});
