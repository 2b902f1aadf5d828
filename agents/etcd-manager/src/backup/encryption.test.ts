import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { decrypt, encrypt, readBackupKey } from './encryption.ts';

const KEY = { id: 'a', bytes: Buffer.alloc(32, 1) };
const OTHER = { id: 'b', bytes: Buffer.alloc(32, 2) };

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

const sealed = async (plain: Buffer) => collect(encrypt(KEY, Readable.from([plain])));
const opened = async (text: Buffer, key = KEY) => collect(decrypt(key, Readable.from([text])));

test.each([0, 1, 1024 * 1024 - 1, 1024 * 1024, 2 * 1024 * 1024 + 17])(
  '%d bytes are decrypted to what was encrypted',
  async (size) => {
    const plain = Buffer.from(Uint8Array.from({ length: size }, (_, index) => index * 7));
    const text = await sealed(plain);
    expect((await opened(text)).equals(plain)).toBe(true);
    expect(text.includes(plain.subarray(0, 64)) && size > 64).toBe(false);
  },
);

test('Every change, truncation and exchange is detected, and another key decrypts nothing', async () => {
  const frame = 4 + 1024 * 1024 + 16;
  const text = await sealed(Buffer.alloc(2 * 1024 * 1024 + 17, 'x'));
  const changed = Buffer.from(text);
  changed.writeUInt8(changed.readUInt8(100) ^ 1, 100);
  const swapped = Buffer.concat([
    text.subarray(0, 16),
    text.subarray(16 + frame, 16 + 2 * frame),
    text.subarray(16, 16 + frame),
    text.subarray(16 + 2 * frame),
  ]);
  await expect(opened(changed)).rejects.toThrow(/damaged/);
  await expect(opened(swapped)).rejects.toThrow(/damaged/);
  await expect(opened(text.subarray(0, 16 + 2 * frame))).rejects.toThrow(/ends early/);
  await expect(opened(text.subarray(0, -1))).rejects.toThrow(/ends early/);
  await expect(opened(text, OTHER)).rejects.toThrow(/another key/);
  await expect(opened(Buffer.from('something else, long enough'))).rejects.toThrow(/not an encrypted backup/);
});

test.each([
  ['encrypted', encrypt, Buffer.alloc(1024 * 1024)],
  ['decrypted', decrypt, await sealed(Buffer.alloc(2 * 1024 * 1024))],
] as const)('What is %s is closed where nobody reads on', async (_how, transform, chunk) => {
  let isClosed = false;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield chunk;
    } finally {
      isClosed = true;
    }
  }
  const pieces = transform(KEY, source());
  await pieces.next();
  await pieces.next();
  expect(isClosed).toBe(false);
  await pieces.return(undefined);
  expect(isClosed).toBe(true);
});

test('The key is a secret of the cluster, in hexadecimal or as bytes, and a short one is refused', async () => {
  const store = createMemoryStore();
  const secret = (name: string, data: Buffer) =>
    store.write(`${name}/secrets/etcd-backup-key`, Buffer.from(JSON.stringify({ Data: data.toString('base64') })), {
      ifAbsent: true,
    });
  await secret('hex', Buffer.from(`${'01'.repeat(32)}\n`));
  await secret('bytes', Buffer.alloc(32, 1));
  await secret('short', Buffer.from('password'));
  const signal = AbortSignal.timeout(1000);
  expect(await readBackupKey(store, 'none', signal)).toBeUndefined();
  expect((await readBackupKey(store, 'hex', signal))?.bytes).toEqual(Buffer.alloc(32, 1));
  expect(await readBackupKey(store, 'hex', signal)).toEqual(await readBackupKey(store, 'bytes', signal));
  await expect(readBackupKey(store, 'short', signal)).rejects.toThrow(/8 bytes, and AES-256 needs 32/);
});
