import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import { adoptionPath, readOrigin, recordAdoption, recordGivenBack, refuseUnadopted } from './origin.ts';

const SIGNAL = new AbortController().signal;
const NOW = { nowMs: Date.parse('2026-11-21T12:00:00Z'), kopsVersion: '1.36.0' };
const LATER = { ...NOW, nowMs: NOW.nowMs + 1 };

async function ofKops() {
  const store = createMemoryStore();
  await store.write('demo/kops-version.txt', Buffer.from('1.36.0\n'), { ifAbsent: true });
  return store;
}

test('a cluster that kops has never applied is of kopsctl, and may be changed', async () => {
  const store = createMemoryStore();
  expect(await readOrigin(store, 'demo')).toEqual({ maker: 'kopsctl' });
  await refuseUnadopted(store, 'demo');
});

test('a cluster of kops is refused until it is adopted, by a message that names the command', async () => {
  const store = await ofKops();
  expect(await readOrigin(store, 'demo')).toEqual({ maker: 'kops', version: '1.36.0' });
  await expect(refuseUnadopted(store, 'demo')).rejects.toThrow('kops 1.36.0 made this cluster');
  await expect(refuseUnadopted(store, 'demo')).rejects.toMatchObject({
    next: expect.stringContaining('`kopsctl adopt demo`'),
  });
  await recordAdoption(store, 'demo', NOW, SIGNAL);
  await refuseUnadopted(store, 'demo');
});

test('when a cluster was adopted stays as it was written first', async () => {
  const store = await ofKops();
  await recordAdoption(store, 'demo', NOW, SIGNAL);
  await recordAdoption(store, 'demo', LATER, SIGNAL);
  expect(await readOrigin(store, 'demo')).toMatchObject({ adopted: '2026-11-21T12:00:00.000Z' });
});

test.each(['', '{', '{"kind":"Adoption"}'])('a record that reads %j counts as neither', async (text) => {
  const store = await ofKops();
  await store.write(adoptionPath('demo'), Buffer.from(text), { ifAbsent: true });
  await expect(readOrigin(store, 'demo')).rejects.toThrow('demo/manifests/kopsctl/adopted.json');
});

test('what the store held when a cluster was taken over stays known, also after it was given back and taken over again', async () => {
  const store = await ofKops();
  await store.write('demo/pki/issued/ca/keyset.yaml', Buffer.from('of kops'), { ifAbsent: true });
  await recordAdoption(store, 'demo', NOW, SIGNAL);
  await store.write('demo/node-marks.json', Buffer.from('of kopsctl'), { ifAbsent: true });
  await recordGivenBack(store, 'demo', LATER.nowMs, SIGNAL);
  expect(await readOrigin(store, 'demo')).toEqual({
    maker: 'kops',
    version: '1.36.0',
    givenBack: '2026-11-21T12:00:00.001Z',
    objectsOfKops: ['kops-version.txt', 'pki/issued/ca/keyset.yaml'],
  });
  await expect(refuseUnadopted(store, 'demo')).rejects.toThrow('gave it back to kops');
  await recordAdoption(store, 'demo', LATER, SIGNAL);
  await refuseUnadopted(store, 'demo');
  expect(await readOrigin(store, 'demo')).toMatchObject({
    adopted: '2026-11-21T12:00:00.001Z',
    objectsOfKops: ['kops-version.txt', 'pki/issued/ca/keyset.yaml'],
  });
});
