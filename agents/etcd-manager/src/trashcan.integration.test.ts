import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { moveToTrashcan } from './trashcan.ts';

test('the trashcan keeps one generation and touches no other data', async () => {
  const mountPoint = await mkdtemp(join(tmpdir(), 'kopsctl-trashcan-'));
  onTestFinished(() => rm(mountPoint, { recursive: true }));
  for (const token of ['first', 'second', 'served']) {
    await mkdir(join(mountPoint, 'data', token, 'member'), { recursive: true });
  }
  await moveToTrashcan({ mountPoint }, ['first']);
  expect(await readdir(join(mountPoint, 'data-trashcan', 'first'))).toEqual(['member']);

  await moveToTrashcan({ mountPoint }, ['second']);
  expect(await readdir(join(mountPoint, 'data-trashcan'))).toEqual(['second']);
  expect(await readdir(join(mountPoint, 'data'))).toEqual(['served']);
});
