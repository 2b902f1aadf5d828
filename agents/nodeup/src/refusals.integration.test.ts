import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepRefusals, readRefusals } from './refusals.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'kops-refusals-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

test('what the host refused is read back, and is nothing before a plan was carried out', async () => {
  expect(await readRefusals(root)).toEqual(new Map());
  const refused = new Map([['net.ipv4.x', 'read-only file system']]);
  await keepRefusals(root, refused);
  expect(await readRefusals(root)).toEqual(refused);
});

test.each(['null', '"text"', '["a"]', '{', '{"a":1}', ''])('a file with %j says nothing of refusals', async (text) => {
  await mkdir(join(root, 'run/kops'), { recursive: true });
  await writeFile(join(root, 'run/kops/refusals.json'), text);
  expect(await readRefusals(root)).toEqual(new Map());
});
