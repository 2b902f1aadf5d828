import { type Enrolment, enrolmentPath, parseEnrolment, printEnrolment } from '@kopsctl/node-identity/enrolment.ts';
import { permitNewKey, revoke } from '@kopsctl/node-identity/revocation.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';
import { expect, test } from 'vitest';
import { markEnrolment, readEnrolment } from './stored-enrolment.ts';

const CLUSTER = 'demo.example.com';
const PATH = enrolmentPath(CLUSTER, 'nodes-1');
const NOW_MS = Date.parse('2026-01-02T12:00:00Z');
const { signal } = new AbortController();

const enrolment: Enrolment = {
  node: 'nodes-1',
  instanceId: 'i-1',
  launchedMs: 1,
  instanceGroup: 'nodes',
  machineKey: 'first',
  address: '10.0.0.11',
  enrolledAt: '2026-01-02T11:01:00Z',
};
const stolen = (found: Enrolment): Enrolment => revoke(found, NOW_MS, 'stolen');
const place = (store: StateStore, node = 'nodes-1') => ({ store, cluster: CLUSTER, node, what: `revoke ${node}` });
const bytes = (of: Enrolment) => Buffer.from(printEnrolment(of));

async function storeWith(of: Enrolment): Promise<StateStore> {
  const store = createMemoryStore();
  await store.write(PATH, bytes(of), { ifAbsent: true });
  return store;
}

const read = async (store: StateStore) => parseEnrolment(Buffer.from((await store.read(PATH))?.bytes ?? []).toString());

/** An authority writes this right before each of the next writes. */
function withAuthority(store: StateStore, writes: Enrolment[]): StateStore {
  return {
    ...store,
    async write(path, text, condition, inner) {
      const next = writes.shift();
      const version = (await store.read(PATH))?.version ?? '';
      if (next !== undefined) await store.write(PATH, bytes(next), { ifVersion: version });
      return store.write(path, text, condition, inner);
    },
  };
}

test('a mark is put on what an authority wrote at the same time', async () => {
  const store = await storeWith(enrolment);
  const busy = withAuthority(store, [
    { ...enrolment, machineKey: 'second' },
    { ...enrolment, machineKey: 'third' },
  ]);
  await markEnrolment(place(busy), enrolment, stolen, signal);
  expect(await read(store)).toEqual(stolen({ ...enrolment, machineKey: 'third' }));
});

test('a machine that has taken the name over meanwhile is not meant', async () => {
  const store = await storeWith(enrolment);
  const other = { ...enrolment, instanceId: 'i-2' };
  const marking = markEnrolment(place(withAuthority(store, [other])), enrolment, stolen, signal);
  await expect(marking).rejects.toThrow('passed from i-1 to i-2');
  expect(await read(store)).toEqual(other);
});

test('a store in which every write conflicts is given up', async () => {
  const store = await storeWith(enrolment);
  const writes = Array.from({ length: 50 }, (_, index) => ({ ...enrolment, machineKey: String(index) }));
  await expect(markEnrolment(place(withAuthority(store, writes)), enrolment, stolen, signal)).rejects.toThrow(
    ConflictError,
  );
});

test('what is marked already is not written again', async () => {
  const store = await storeWith(permitNewKey(enrolment));
  const never: StateStore = { ...store, write: async () => Promise.reject(new Error('nothing is written')) };
  expect(await markEnrolment(place(never), enrolment, permitNewKey, signal)).toEqual(permitNewKey(enrolment));
});

test('a name under which nothing has enrolled is refused, with the nearest that there is', async () => {
  const store = await storeWith(enrolment);
  await expect(readEnrolment(place(store, 'node-1'), signal)).rejects.toMatchObject({ next: 'did you mean nodes-1?' });
  await expect(readEnrolment(place(store, 'control-plane-a'), signal)).rejects.toThrow('control planes do not enrol');
});

test('a file that is not an enrolment is named, and stays as it is', async () => {
  const store = createMemoryStore();
  await store.write(PATH, Buffer.from('{"kind":"NodeEnrolment"}'), { ifAbsent: true });
  await expect(readEnrolment(place(store), signal)).rejects.toThrow(/enrolment\.json .* missing or malformed: node,/);
});
