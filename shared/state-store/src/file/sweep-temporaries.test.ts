import { appendFile, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporarySweeper } from './sweep-temporaries.ts';

const HOUR_MS = 60 * 60_000;

test('a temporary file goes once it has been watched for an hour without a change, whatever the clock of files says', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kopsctl-sweep-'));
  try {
    let nowMs = 0;
    const sweep = temporarySweeper(folder, () => nowMs);
    for (const name of ['dead', 'written']) {
      await writeFile(join(folder, name), 'half');
      await utimes(join(folder, name), 0, 0);
    }
    await sweep();
    nowMs = HOUR_MS - 1;
    await sweep();
    expect(await readdir(folder)).toEqual(['dead', 'written']);
    await appendFile(join(folder, 'written'), 'more');
    nowMs = HOUR_MS + 1;
    await sweep();
    expect(await readdir(folder)).toEqual(['written']);
    nowMs = 3 * HOUR_MS;
    await sweep();
    expect(await readdir(folder)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
