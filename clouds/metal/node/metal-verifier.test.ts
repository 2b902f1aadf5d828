import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { type HostRecord, hostPath, parseHost, printHost } from '@kopsctl/node-identity/host-record.ts';
import { EvidenceRefused, type EvidenceVerifier } from '@kopsctl/node-cloud/machine-identity.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMetalNodeCloud } from './metal-node-cloud.ts';
import { metalVerifier, metalVerifierFacts } from './metal-verifier.ts';

const CLUSTER = 'demo.k8s.local';
const NOW_MS = Date.parse('2026-01-02T12:00:00Z');
const HOUR_MS = 60 * 60_000;
const CHALLENGE = randomBytes(32);
const { signal } = new AbortController();

const newPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pair = newPair();
const publicKey = pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64url');
const host: HostRecord = {
  node: 'rack-1',
  instanceId: 'a1',
  instanceGroup: 'nodes',
  role: 'Node',
  address: '10.0.0.11',
  zone: 'room-1',
  enrolledMs: NOW_MS,
  firstKey: { publicKey, goodUntilMs: NOW_MS + HOUR_MS },
  volumes: [],
};
const controlPlane: HostRecord = {
  ...host,
  node: 'rack-0',
  instanceId: 'a0',
  role: 'ControlPlane',
  instanceGroup: 'control-plane',
  address: '10.0.0.10',
  volumes: [
    { name: 'a.etcd-main.demo', device: '/dev/disk/by-partlabel/etcd-main', tags: { 'k8s.io/etcd/main': 'a/a' } },
  ],
};
const { firstKey: _none, ...withoutKey } = controlPlane;

async function storeWith(...hosts: readonly HostRecord[]) {
  const store = createMemoryStore();
  for (const one of hosts)
    await store.write(hostPath(CLUSTER, one.node), Buffer.from(printHost(one)), { ifAbsent: true });
  return store;
}
const signed = (challenge: Uint8Array, key: KeyObject = pair.privateKey): string =>
  sign('sha256', challenge, key).toString('base64url');

/** An authority that a control plane with this store tells, through JSON. */
function verifierOf(store: StateStore, nowMs: number): EvidenceVerifier {
  const facts = metalVerifierFacts(CLUSTER, async () => store);
  const told = async (asking: AbortSignal): Promise<unknown> => JSON.parse(JSON.stringify(await facts(asking)));
  return metalVerifier(told, () => nowMs);
}

async function verified(evidence: unknown, nowMs = NOW_MS, kept = host) {
  const store = await storeWith(kept, withoutKey);
  return verifierOf(store, nowMs).verify(evidence, CHALLENGE, signal);
}

test('the machine with the key that it was enrolled with is proven', async () => {
  expect(await verified({ instanceId: 'a1', signature: signed(CHALLENGE) })).toEqual({ instanceId: 'a1' });
});

test('a machine that is enrolled later is known as well', async () => {
  const store = await storeWith(withoutKey);
  const verifier = verifierOf(store, NOW_MS);
  const evidence = { instanceId: 'a1', signature: signed(CHALLENGE) };
  await expect(verifier.verify(evidence, CHALLENGE, signal)).rejects.toThrow(EvidenceRefused);
  await store.write(hostPath(CLUSTER, 'rack-1'), Buffer.from(printHost(host)), { ifAbsent: true });
  expect(await verifier.verify(evidence, CHALLENGE, signal)).toEqual({ instanceId: 'a1' });
});

const other = newPair();
test.each<[string, unknown, RegExp]>([
  ['another challenge', { instanceId: 'a1', signature: signed(randomBytes(32)) }, /did not sign/],
  ['another key', { instanceId: 'a1', signature: signed(CHALLENGE, other.privateKey) }, /did not sign/],
  ['another machine', { instanceId: 'a2', signature: signed(CHALLENGE) }, /no machine was enrolled/],
  ['a control plane, which has no key', { instanceId: 'a0', signature: signed(CHALLENGE) }, /no machine was enrolled/],
  ['no signature', { instanceId: 'a1' }, /lacks signature/],
  ['nothing', null, /lacks/],
])('evidence for %s proves nothing', async (_what, evidence, why) => {
  const refused = await verified(evidence).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(EvidenceRefused);
  expect(String(refused)).toMatch(why);
});

test('a key is good for an hour, and one of another kind never is', async () => {
  const evidence = { instanceId: 'a1', signature: signed(CHALLENGE) };
  expect(await verified(evidence, NOW_MS + HOUR_MS)).toEqual({ instanceId: 'a1' });
  await expect(verified(evidence, NOW_MS + HOUR_MS + 1)).rejects.toThrow('was valid until 2026-01-02T13:00:00.000Z');
  const odd = { ...host, firstKey: { publicKey: 'AAAA', goodUntilMs: NOW_MS + HOUR_MS } };
  await expect(verified(evidence, NOW_MS, odd)).rejects.toThrow('not ECDSA on P-256');
});

test('no evidence from the network does more than be refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.anything(), async (evidence) => {
      await expect(verified(evidence)).rejects.toBeInstanceOf(EvidenceRefused);
    }),
    { numRuns: 50 },
  );
});

test('the list of machines is what the store holds, with the partitions of control planes', async () => {
  const store = await storeWith(host, withoutKey);
  const cloud = createMetalNodeCloud(CLUSTER, async () => store);
  const { items: machines } = await cloud.machines(undefined, signal);
  expect(machines).toMatchObject([
    { instanceId: 'a0', nodeName: 'rack-0', role: 'ControlPlane', address: '10.0.0.10', launchedMs: NOW_MS },
    { instanceId: 'a1', nodeName: 'rack-1', role: 'Node', instanceGroup: 'nodes', running: true },
  ]);
  const { items: volumes } = await cloud.volumes(undefined, signal);
  expect(volumes).toMatchObject([
    {
      id: 'rack-0/a.etcd-main.demo',
      tags: { 'k8s.io/etcd/main': 'a/a' },
      attachedTo: { instanceId: 'a0', address: '10.0.0.10', device: '/dev/disk/by-partlabel/etcd-main' },
    },
  ]);
});

test('a record of a machine is read as it was written, and one that lacks something is refused', () => {
  for (const one of [host, withoutKey]) expect(parseHost(printHost(one))).toEqual(one);
  expect(() => parseHost('{"kind":"Host","node":"x"}')).toThrow('instanceId, instanceGroup, role, address');
});
