import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { ageKey } from '@kopsctl/state-store/sealed/age-key.ts';
import { openSealed } from '@kopsctl/state-store/sealed/sealed-store.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { newIdentity } from '@kopsctl/state-store/testing/new-identity.ts';
import { beforeEach, expect, test } from 'vitest';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
import { checkStateKey } from '../phases/check-state-key.ts';
import { sealingOf } from '../store/state-keys.ts';
import { writeStored } from '../store/write-stored.ts';
import { stateKeyHandler } from './state-key.ts';
import { storeEnv } from './store-env.ts';

const CLUSTER = 'demo.example.com';
const PATHS = ['pki/private/apiserver-aggregator-ca/keyset.yaml', 'pki/private/kubernetes-ca/keyset.yaml', 'secrets/a'];
const { signal } = new AbortController();

let inner: StateStore;
let identity: string;
let recipient: string;

beforeEach(async () => {
  inner = createMemoryStore();
  ({ identity, recipient } = await newIdentity());
  for (const path of PATHS) await inner.write(`${CLUSTER}/${path}`, Buffer.from(`key of ${path}`), { ifAbsent: true });
});

const openKey = async (name: string) => ageKey(name, async () => [identity]);
const opened = (store = inner): StateStore =>
  openSealed(store, { openKey, sealingOf: (cluster, signal) => sealingOf(inner, cluster, signal) });

/** The stored Cluster says this of its key. */
async function say(stateKey: string | undefined): Promise<void> {
  const annotations = stateKey === undefined ? '' : `\n  annotations: {kopsctl.io/state-key: "${stateKey}"}`;
  const text = `apiVersion: kops.k8s.io/v1alpha2\nkind: Cluster\nmetadata:\n  name: ${CLUSTER}${annotations}\nspec: {}\n`;
  const stored = await inner.read(`${CLUSTER}/config`);
  const condition = ifUnchanged(stored?.version);
  await inner.write(`${CLUSTER}/config`, Buffer.from(text), condition);
}

/** Carries out what is planned for the key; returns the steps. */
async function converge(sealsWith: string | undefined, store = opened()) {
  const env = storeEnv(store, CLUSTER);
  const props = stateKeyHandler.parse({ ...(sealsWith === undefined ? {} : { sealsWith }), after: [] });
  const steps = stateKeyHandler.plan('state-key', props, await stateKeyHandler.find('state-key', props, env, signal));
  for (const step of steps) await stateKeyHandler.apply(step, 'state-key', props, env, signal);
  return steps;
}

const textAt = async (store: StateStore, path: string): Promise<string> =>
  Buffer.from((await store.read(`${CLUSTER}/${path}`))?.bytes ?? []).toString();

test('objects in the clear are sealed, each is told, and the second time there is nothing to do', async () => {
  await say(recipient);
  const [step] = await converge(recipient);
  expect(step?.summary).toBe(`seal 3 objects below pki/private and secrets with ${recipient}`);
  expect(step?.changes?.map(({ path }) => path)).toEqual(PATHS);
  for (const path of PATHS) {
    expect(await textAt(inner, path)).not.toContain('key of');
    expect(await textAt(opened(), path)).toBe(`key of ${path}`);
  }
  expect(await converge(recipient)).toEqual([]);
});

test('another key replaces the first', async () => {
  await say(recipient);
  await converge(recipient);
  const both = `${recipient},${(await newIdentity()).recipient}`;
  await say(both);
  expect(await converge(both)).toHaveLength(1);
  expect((await opened().read(`${CLUSTER}/secrets/a`))?.sealedWith).toBe(both);
});

test('a cut leaves every object readable, and the next time goes on', async () => {
  await say(recipient);
  let writes = 0;
  const cut: StateStore = {
    ...inner,
    write: async (...args) => {
      if (args[0] !== `${CLUSTER}/config` && ++writes > 1) throw new Error('the line is cut');
      return inner.write(...args);
    },
  };
  await expect(converge(recipient, opened(cut))).rejects.toThrow('the line is cut');
  // The CA is first.
  expect((await opened().read(`${CLUSTER}/${PATHS[1]}`))?.sealedWith).toBe(recipient);
  for (const path of PATHS) expect(await textAt(opened(), path)).toBe(`key of ${path}`);
  const [step] = await converge(recipient);
  expect(step?.changes).toHaveLength(2);
});

test('with none objects are written in the clear, the CA last', async () => {
  await say(recipient);
  await converge(recipient);
  await say('none');
  const [step] = await converge(undefined);
  expect(step?.summary).toBe('write 3 objects below pki/private and secrets in the clear');
  expect(step?.paths.at(-1)).toBe('pki/private/kubernetes-ca/keyset.yaml');
  for (const path of PATHS) expect(await textAt(inner, path)).toBe(`key of ${path}`);
});

test('where another tool makes the machines, objects are sealed at once', async () => {
  await say(recipient);
  const props = { sealsWith: recipient, after: [{ ref: 'aws/IamRolePolicy/masters' }] };
  const tasks = [{ kind: 'StateKey', name: 'state-key', props }];
  expect(await writeStored({ store: opened(), cluster: CLUSTER, tasks, signal })).toMatchObject({ failed: 0 });
  expect((await opened().read(`${CLUSTER}/secrets/a`))?.sealedWith).toBe(recipient);
});

const cluster = (stateKey?: string) => ({
  metadata: { name: CLUSTER, ...(stateKey !== undefined && { annotations: { 'kopsctl.io/state-key': stateKey } }) },
});

test('a spec that forgets the key of sealed objects is refused, and told both ways out', async () => {
  await say(recipient);
  await converge(recipient);
  await expect(checkStateKey(opened(), cluster(), openKey, signal)).rejects.toMatchObject({
    message: expect.stringContaining(`sealed with ${recipient}, which machines could no longer open`),
    next: 'put the annotation back, or set it to none to have them in the clear',
  });
  await checkStateKey(opened(), cluster('none'), openKey, signal);
});

test('a spec that never named a key is let through', async () => {
  await expect(checkStateKey(opened(), cluster(), openKey, signal)).resolves.toBeUndefined();
});

test('a key that the person cannot open with is refused before anything is sealed with it', async () => {
  const { recipient: others } = await newIdentity();
  await expect(checkStateKey(opened(), cluster(others), openKey, signal)).rejects.toThrow(
    'none of the identities here',
  );
  await checkStateKey(opened(), cluster(recipient), openKey, signal);
});

test('a key of KMS is changed in two steps, so that machines can open at any time', async () => {
  const [old, other] = ['0', '1'].map((digit) => `arn:aws:kms:us-east-1:123456789012:key/${digit}`) as [string, string];
  const kms = async (name: string) => ({
    name,
    wrap: async (dataKey: Uint8Array) => dataKey,
    unwrap: async (wrapped: Uint8Array) => wrapped,
  });
  const store = openSealed(inner, { openKey: kms, sealingOf: async () => ({ with: old }) });
  await converge(old, store);
  await expect(checkStateKey(store, cluster(other), kms, signal)).rejects.toMatchObject({
    next: `write ${other},${old}, apply, then remove the old key`,
  });
  await expect(checkStateKey(store, cluster('none'), kms, signal)).rejects.toMatchObject({
    next: `write none,${old}, apply, then remove the old key`,
  });
  await checkStateKey(store, cluster(`${other},${old}`), kms, signal);
  await checkStateKey(store, cluster(`none,${old}`), kms, signal);
});
