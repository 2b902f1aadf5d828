import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readInPlace } from './read-in-place.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'read-in-place-'));
});
afterAll(() => rm(folder, { recursive: true }));

test.each([0, 1, 1 << 20, (5 << 20) + 7])('a file of %d bytes is read as a whole', async (size) => {
  const file = join(folder, `${size}`);
  const bytes = randomBytes(size);
  await writeFile(file, bytes);
  const pieces: Buffer[] = [];
  for await (const piece of readInPlace(file)) pieces.push(Buffer.from(piece));
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
});

test('reading begins where it is told, and ends with its signal', async () => {
  const file = join(folder, 'long');
  await writeFile(file, Buffer.alloc(3 << 20, 'x'));
  let read = 0;
  for await (const piece of readInPlace(file, { start: (1 << 20) + 1 })) read += piece.byteLength;
  expect(read).toBe((2 << 20) - 1);

  const ended = new AbortController();
  const untilAborted = async () => {
    for await (const _ of readInPlace(file, { signal: ended.signal })) ended.abort(new Error('told to end'));
  };
  await expect(untilAborted()).rejects.toThrow('told to end');
});
