import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nameOfCluster } from './choose-cluster.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'choose-cluster-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function storeOf(...names: readonly string[]) {
  const store = createMemoryStore();
  for (const name of names) await store.write(`${name}/config`, Buffer.from('x'), { ifAbsent: true });
  return store;
}

/** The current context of kubectl. */
async function contextOf(cluster: string, name?: string) {
  const file = join(folder, cluster);
  const context = { name: 'mine', context: { cluster, user: 'me' } };
  await writeFile(file, JSON.stringify({ 'current-context': 'mine', contexts: [context], clusters: [], users: [] }));
  const notes: string[] = [];
  const onEvent = (event: { readonly type: string; readonly line?: string }) => notes.push(event.line ?? '');
  return { ...(name !== undefined && { name }), env: { KUBECONFIG: file }, onEvent, notes };
}

test("the cluster of kubectl's context is meant where none is named, and a person is told", async () => {
  const store = await storeOf('one.example.com', 'two.example.com');
  const context = await contextOf('two.example.com');
  expect(await nameOfCluster(context, store, undefined)).toBe('two.example.com');
  expect(context.notes).toEqual(['Using cluster from kubectl context: two.example.com']);
  const named = await contextOf('two.example.com', 'one.example.com');
  expect(await nameOfCluster(named, store, undefined)).toBe('one.example.com');
  expect(named.notes).toEqual([]);
});

test('a context of another store says nothing', async () => {
  const context = await contextOf('elsewhere.example.com');
  expect(await nameOfCluster(context, await storeOf('one.example.com'), undefined)).toBe('one.example.com');
  const both = await storeOf('one.example.com', 'two.example.com');
  await expect(nameOfCluster(context, both, undefined)).rejects.toThrow('holds one.example.com, two.example.com');
});
