import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gzipSnapshot } from './gzip-snapshot.ts';
import { snapshotFile } from './snapshot-source.ts';

const run = promisify(execFile);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopsctl-gzip-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function compressed(bytes: Buffer): Promise<Buffer> {
  const path = join(folder, 'file');
  await writeFile(path, bytes);
  const pieces: Uint8Array[] = [];
  for await (const piece of gzipSnapshot(await snapshotFile(path), AbortSignal.timeout(30_000))) pieces.push(piece);
  return Buffer.concat(pieces);
}

test.each([0, 1, 256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1, 5_000_000])(
  '%d bytes are decompressed to what was compressed, by Node and by gzip',
  async (size) => {
    const bytes = Buffer.from(randomBytes(size / 2 + 1).toString('hex')).subarray(0, size);
    const gz = await compressed(bytes);
    expect(gunzipSync(gz).equals(bytes)).toBe(true);
    const path = join(folder, 'file.gz');
    await writeFile(path, gz);
    await run('gzip', ['--decompress', '--force', path]);
    expect((await readFile(join(folder, 'file'))).equals(bytes)).toBe(true);
    expect(gz.byteLength).toBeLessThan(size * 0.65 + 100);
  },
);

test('Compression stops when its signal aborts, and throws the reason', async () => {
  const path = join(folder, 'file');
  await writeFile(path, Buffer.alloc(3_000_000));
  const stop = new AbortController();
  const pieces = gzipSnapshot(await snapshotFile(path), stop.signal);
  await pieces.next();
  stop.abort(new Error('enough'));
  await expect(
    (async () => {
      for await (const piece of pieces) expect(piece.byteLength).toBeGreaterThan(0);
    })(),
  ).rejects.toThrow('enough');
});
