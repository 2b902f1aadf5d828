import { makeLog } from '@kopsctl/agent/log.ts';
import { type Enrolment, enrolmentPath, printEnrolment } from '@kopsctl/node-identity/enrolment.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import { revokedMarks } from './revoked-marks.ts';

const CLUSTER = 'demo.example.com';
const REVOKED_AT = '2026-01-02T12:00:00Z';
const { signal } = new AbortController();

const enrolment = (node: string, changed: Partial<Enrolment> = {}): Buffer =>
  Buffer.from(
    printEnrolment({
      node,
      instanceId: `i-${node}`,
      launchedMs: 1,
      instanceGroup: 'nodes',
      machineKey: 'first',
      address: '10.0.0.11',
      enrolledAt: '2026-01-02T11:01:00Z',
      ...changed,
    }),
  );

async function opened() {
  const store = createMemoryStore();
  const reads: string[] = [];
  const lines: string[] = [];
  const counted: typeof store = {
    ...store,
    read: async (path, inner) => {
      reads.push(path);
      return store.read(path, inner);
    },
  };
  for (const node of ['a', 'b']) await store.write(enrolmentPath(CLUSTER, node), enrolment(node), { ifAbsent: true });
  await store.write(`${CLUSTER}/nodes/a/boot-report.json`, Buffer.from('{}'), { ifAbsent: true });
  const log = makeLog((line) => lines.push(line), false, 'protokube');
  return { store, reads, lines, marks: revokedMarks(CLUSTER, counted, log) };
}

test('each enrolment is read once, and again when it has changed', async () => {
  const { store, reads, marks } = await opened();
  expect(await marks.read(signal)).toEqual([]);
  expect(await marks.read(signal)).toEqual([]);
  expect(reads).toHaveLength(2);
  const path = enrolmentPath(CLUSTER, 'b');
  const { version = '' } = (await store.read(path)) ?? {};
  await store.write(path, enrolment('b', { revokedAt: REVOKED_AT }), { ifVersion: version });
  expect(await marks.read(signal)).toEqual([{ node: 'b', revokedAt: REVOKED_AT }]);
  expect(reads.slice(2)).toEqual([path]);
  await store.delete(path);
  expect(await marks.read(signal)).toEqual([]);
});

test('an enrolment that cannot be read is said once, and does not hide the others', async () => {
  const { store, lines, marks } = await opened();
  await store.write(enrolmentPath(CLUSTER, 'c'), Buffer.from('{'), { ifAbsent: true });
  const revoked = enrolment('d', { revokedAt: REVOKED_AT });
  await store.write(enrolmentPath(CLUSTER, 'd'), revoked, { ifAbsent: true });
  for (let times = 0; times < 2; times += 1) {
    expect(await marks.read(signal)).toEqual([{ node: 'd', revokedAt: REVOKED_AT }]);
  }
  expect(lines.filter((line) => line.includes('c/enrolment.json'))).toHaveLength(1);
});
