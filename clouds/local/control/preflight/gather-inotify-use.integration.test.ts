import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { gatherInotifyUse } from './gather-inotify-use.ts';

const isRoot = process.getuid?.() === 0;

test.skipIf(!isRoot)('an instance that a process of root opens counts at once (needs root)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kops-inotify-'));
  // libuv shares one instance among all watches of an event loop: a thread of its own brings its own.
  const before = await gatherInotifyUse('demo');
  const thread = new Worker(
    `require('node:fs').watch(${JSON.stringify(folder)}); require('node:worker_threads').parentPort.postMessage('up')`,
    { eval: true },
  );
  onTestFinished(async () => {
    await thread.terminate();
    rmSync(folder, { recursive: true });
  });
  await new Promise((resolve) => thread.once('message', resolve));
  const after = await gatherInotifyUse('demo');
  expect(after.limit).toBeGreaterThan(0);
  expect(after.machines).toEqual(new Map());
  expect(after.others).toBeGreaterThanOrEqual(before.others + 1);
});
