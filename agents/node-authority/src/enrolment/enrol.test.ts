import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import { enrolmentPath, parseEnrolment, printEnrolment } from '@kopsctl/node-identity/enrolment.ts';
import { revoke } from '@kopsctl/node-identity/revocation.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { expect, test } from 'vitest';
import { storedEnrolments } from '../testdata/stored-enrolments.ts';
import { enrol, type EnrolmentEnv } from './enrol.ts';

const CLUSTER = 'demo.example.com';
const PATH = enrolmentPath(CLUSTER, 'nodes-1');
const NOW_MS = Date.parse('2026-01-02T12:00:00Z');
const { signal } = new AbortController();

const machine: CloudMachine = {
  instanceId: 'i-1',
  nodeName: 'nodes-1',
  address: '10.0.0.11',
  externalAddresses: [],
  role: 'Node',
  instanceGroup: 'nodes',
  running: true,
  launchedMs: NOW_MS,
};
const proven = (machineKey: string) => ({ machine, machineKey, isProven: true });

const env = (store: StateStore): EnrolmentEnv => ({
  enrolments: storedEnrolments(CLUSTER, store),
  kube: { get: async () => ({ items: [] }), remove: async () => false },
  machines: () => [machine],
  nowMs: () => NOW_MS,
});

const read = async (store: StateStore) => {
  const stored = await store.read(PATH);
  return { enrolment: parseEnrolment(Buffer.from(stored?.bytes ?? []).toString()), version: stored?.version ?? '' };
};

async function revokeIn(store: StateStore): Promise<void> {
  const { enrolment, version } = await read(store);
  await store.write(PATH, Buffer.from(printEnrolment(revoke(enrolment, NOW_MS, 'stolen'))), { ifVersion: version });
}

/** A store in which something happens right before the next write through it. */
function interrupted(store: StateStore, first: () => Promise<void>): StateStore {
  let happens: (() => Promise<void>) | undefined = first;
  return {
    ...store,
    async write(path, bytes, condition, inner) {
      const now = happens;
      happens = undefined;
      await now?.();
      return store.write(path, bytes, condition, inner);
    },
  };
}

test('a machine that is revoked while its new key is enrolled is refused, and stays revoked', async () => {
  const store = createMemoryStore();
  await enrol(proven('first'), env(store), signal);
  const { enrolment, version } = await read(store);
  const permitted = printEnrolment({ ...enrolment, permitsNewKey: true });
  await store.write(PATH, Buffer.from(permitted), { ifVersion: version });
  const outcome = await enrol(proven('second'), env(interrupted(store, () => revokeIn(store))), signal);
  expect(outcome).toEqual({ result: 'refused', reason: expect.stringContaining('revoked') });
  expect((await read(store)).enrolment).toMatchObject({ machineKey: 'first', revokedReason: 'stolen' });
});

test('a machine that is enrolled and revoked while another authority enrols it is refused', async () => {
  const store = createMemoryStore();
  const meanwhile = async (): Promise<void> => {
    await enrol(proven('first'), env(store), signal);
    await revokeIn(store);
  };
  const outcome = await enrol(proven('first'), env(interrupted(store, meanwhile)), signal);
  expect(outcome).toEqual({ result: 'refused', reason: expect.stringContaining('revoked') });
});

test('of two keys that are enrolled at the same time one has the name', async () => {
  const store = createMemoryStore();
  const meanwhile = async (): Promise<void> => void (await enrol(proven('first'), env(store), signal));
  const outcome = await enrol(proven('second'), env(interrupted(store, meanwhile)), signal);
  expect(outcome).toEqual({ result: 'refused', reason: expect.stringContaining('another key') });
});

test('the Node of a machine that is gone goes before the next one of its group has the name, whatever pods it had', async () => {
  const store = createMemoryStore();
  await enrol(proven('first'), env(store), signal);
  const removed: string[] = [];
  const next = { ...machine, instanceId: 'i-2' };
  const around: EnrolmentEnv = {
    ...env(store),
    kube: { get: async () => ({ items: [{}] }), remove: async (path) => removed.push(path) > 0 },
    machines: () => [next],
  };
  const outcome = await enrol({ machine: next, machineKey: 'second', isProven: true }, around, signal);
  expect(outcome).toEqual({ result: 'accepted', isNew: true });
  expect(removed).toEqual(['/api/v1/nodes/nodes-1']);
  await enrol({ machine: next, machineKey: 'second', isProven: true }, around, signal);
  expect(removed).toHaveLength(1);
});
