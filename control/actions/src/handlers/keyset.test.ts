import { primary, trustedCertificates } from '@kopsctl/pki/keyset.ts';
import { publishedKeysetPath, readKeyset } from '@kopsctl/pki/keyset-store.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import { keysetHandler } from './keyset.ts';
import { storeEnv } from './store-env.ts';

const CLUSTER = 'demo.example.com';
const DAY_MS = 24 * 60 * 60_000;
const { signal } = new AbortController();

function cluster() {
  const store = createMemoryStore();
  let nowMs = Date.parse('2026-01-01T00:00:00Z');
  const env = { ...storeEnv(store, CLUSTER), nowMs: () => nowMs };
  const propsOf = (name: string) =>
    keysetHandler.parse({
      name,
      type: 'ca',
      commonName: name,
      ...(name === 'new' && { succeeds: { keyset: 'old', trustedDays: 60 } }),
    });
  const plan = async (name: string) => {
    const props = propsOf(name);
    return keysetHandler.plan(name, props, await keysetHandler.find(name, props, env, signal));
  };
  /** What an apply does. Resolves with what it would have said. */
  const apply = async (name: string): Promise<readonly string[]> => {
    const steps = await plan(name);
    for (const step of steps) await keysetHandler.apply(step, name, propsOf(name), env, signal);
    return steps.map(({ summary }) => summary);
  };
  const stored = async (name: string) => {
    const found = await readKeyset(store, CLUSTER, name);
    if (found === undefined) throw new Error(`there is no ${name}`);
    return found.keyset;
  };
  const published = async (name: string) =>
    Buffer.from((await store.read(publishedKeysetPath(CLUSTER, name)))?.bytes ?? []).toString();
  const pass = (days: number): void => void (nowMs += days * DAY_MS);
  return { apply, plan, stored, published, pass };
}

test('a keyset is made once, and its public half has no key', async () => {
  const { apply, published, stored } = cluster();
  expect(await apply('old')).toEqual(['create keyset old (ca)']);
  const first = await stored('old');
  expect(await apply('old')).toEqual([]);
  expect(await stored('old')).toEqual(first);
  expect(await published('old')).not.toContain('privateMaterial');
});

test('in a new cluster a keyset that takes over trusts itself alone', async () => {
  const { apply, stored, plan } = cluster();
  expect(await apply('new')).toEqual(['create keyset new (ca)']);
  await apply('old');
  expect(trustedCertificates(await stored('new'))).toBe(primary(await stored('new')).certificatePem);
  expect(await plan('new')).toEqual([]);
});

test('in a cluster that is older than it, it trusts what the other has signed until that has ended', async () => {
  const { apply, stored, published, pass } = cluster();
  await apply('old');
  pass(100);
  expect(await apply('new')).toEqual(['create keyset new (ca), which trusts what old has signed']);
  const [own, other] = [primary(await stored('new')).certificatePem, primary(await stored('old')).certificatePem];
  expect(trustedCertificates(await stored('new'))).toBe(own + other);
  pass(59);
  expect(await apply('new')).toEqual([]);
  pass(2);
  expect(await apply('new')).toEqual(['trust new alone: everything that old signed has expired']);
  expect(trustedCertificates(await stored('new'))).toBe(own);
  expect(await published('new')).toContain('distrustTimestamp');
  expect(await apply('new')).toEqual([]);
});
