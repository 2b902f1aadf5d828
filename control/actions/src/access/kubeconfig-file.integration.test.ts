import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readKubeconfig } from './kubeconfig-file.ts';
import { withoutCluster } from './kubeconfig.ts';

async function read(text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
  try {
    await writeFile(join(folder, 'config'), text);
    return await readKubeconfig(join(folder, 'config'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('a kubeconfig keeps what is unknown, and lists of kubectl may be null', async () => {
  const text = 'apiVersion: v1\nkind: Config\npreferences: {}\nclusters: null\nusers: [{name: a, user: {token: t}}]\n';
  const config = await read(text);
  expect(config).toMatchObject({ preferences: {}, clusters: [], users: [{ name: 'a', user: { token: 't' } }] });
  expect(config && withoutCluster(config, 'a').users).toEqual([]);
});

test('an empty file is none', async () => {
  expect(await read('')).toBeUndefined();
});

test.each([
  ['[]', 'expected object'],
  ['clusters: {}\n', 'clusters: '],
  ['users: [a]\n', 'users: 0: '],
])('%j is refused, and the error names the field', async (text, why) => {
  await expect(read(text)).rejects.toThrow(why);
});
