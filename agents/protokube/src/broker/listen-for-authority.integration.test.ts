import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listenForAuthority } from './listen-for-authority.ts';

test('the socket has its mode from the moment it is there, also in the place of one that was left', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'broker-'));
  const socket = join(folder, 'authority', 'broker.sock');
  const place = { socket, groupId: process.getgid?.() ?? 0 };
  const { signal } = new AbortController();
  try {
    const first = createServer();
    let wasThere: boolean | undefined;
    first.once('listening', () => (wasThere = existsSync(socket)));
    await listenForAuthority(first, place, signal);
    expect(wasThere).toBe(false);
    expect((await stat(socket)).mode & 0o777).toBe(0o660);
    expect(await readdir(folder, { recursive: true })).toEqual(['authority', 'authority/broker.sock']);

    const second = createServer((_request, response) => response.end('second'));
    await listenForAuthority(second, place, signal);
    expect((await stat(socket)).mode & 0o777).toBe(0o660);
    expect(await readdir(folder, { recursive: true })).toEqual(['authority', 'authority/broker.sock']);
    first.close();
    second.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});
