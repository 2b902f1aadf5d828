import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import type { Rotation } from './plan-rotation.ts';
import { readRotation, writeRotation } from './rotation-journal.ts';

const CLUSTER = 'demo.example.com';
const begun: Rotation = { phase: 'create', sinceMs: 1, keysets: { 'service-account': { from: '1' } } };
const next: Rotation = { ...begun, phase: 'roll-trust', sinceMs: 2 };

test('What was written, but not answered, can be written again', async () => {
  const store = createMemoryStore();
  const before = await writeRotation(store, CLUSTER, begun, undefined);
  const written = await writeRotation(store, CLUSTER, next, before);
  expect(await writeRotation(store, CLUSTER, next, before)).toEqual(written);
  expect(await readRotation(store, CLUSTER)).toEqual(written);
});

test('What somebody else has written in the meantime is not overwritten', async () => {
  const store = createMemoryStore();
  const before = await writeRotation(store, CLUSTER, begun, undefined);
  const theirs = await writeRotation(store, CLUSTER, { ...next, sinceMs: 3 }, before);
  await expect(writeRotation(store, CLUSTER, next, before)).rejects.toThrow('keypair-rotation.json');
  expect(await readRotation(store, CLUSTER)).toEqual(theirs);
});
