import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import type { Entry, StateStore } from '@kopsctl/state-store/store.ts';
import { expect, test } from 'vitest';
import { oldReports } from './old-reports.ts';
import { removeOldReports, type ReportsOf } from './remove-old-reports.ts';

const CLUSTER = 'demo.example.com';
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const SIGNAL = new AbortController().signal;

const entry = (node: string, file: string, modifiedMs: number): Entry => ({
  path: `${CLUSTER}/nodes/${node}/${file}`,
  size: 1,
  version: `${modifiedMs}`,
  modifiedMs,
});
/** Machines that were replaced one after the other, a day each; the last one is `node-0`. */
const replaced = (count: number): readonly Entry[] =>
  Array.from({ length: count }, (_, days) => days).flatMap((days) => {
    const [node, atMs] = [`node-${days}`, 1000 * DAY_MS - days * DAY_MS];
    return ['boot-report.json', 'machine-report.json', 'enrolment.json'].map((file) => entry(node, file, atMs));
  });
const nodesOf = (entries: readonly Entry[]): readonly string[] => [
  ...new Set(entries.map(({ path }) => path.split('/')[2] ?? '')),
];

test('the reports of the last fifty machines that are gone are kept', () => {
  expect(oldReports(CLUSTER, replaced(50), new Set())).toEqual([]);
  const old = oldReports(CLUSTER, replaced(53), new Set());
  expect(nodesOf(old)).toEqual(['node-50', 'node-51', 'node-52']);
  // Enrolments say which machine has a name, and who was revoked.
  expect(old.map(({ path }) => path.split('/')[3])).not.toContain('enrolment.json');
});

test('the reports of a machine that exists are kept, however old they are', () => {
  expect(nodesOf(oldReports(CLUSTER, replaced(53), new Set(['node-52', 'node-3'])))).toEqual(['node-51']);
});

test('what a person enrolled exists, although no cloud lists it', () => {
  const enrolled = [...replaced(52), entry('node-51', 'host.json', 0)];
  expect(nodesOf(oldReports(CLUSTER, enrolled, new Set()))).toEqual(['node-50']);
});

test('of many machines that are replaced in a day, all reports are kept that day', () => {
  const today = Array.from({ length: 300 }, (_, index) => entry(`node-${index}`, 'boot-report.json', index * 1000));
  expect(oldReports(CLUSTER, today, new Set())).toEqual([]);
});

async function stored(): Promise<StateStore> {
  const store = createMemoryStore();
  const entries = replaced(53);
  for (const { path } of entries) await store.write(path, new TextEncoder().encode(path), { ifAbsent: true });
  const times = new Map(entries.map(({ path, modifiedMs }) => [path, modifiedMs]));
  const list: StateStore['list'] = async (...args) =>
    (await store.list(...args)).map((one) => ({ ...one, modifiedMs: times.get(one.path) ?? 0 }));
  return { ...store, list };
}
const asked = (store: StateStore, changes: Partial<ReportsOf> = {}): ReportsOf => ({
  store,
  cluster: CLUSTER,
  groups: async () => [],
  machines: async () => [],
  kube: { get: async () => ({ items: [{ metadata: { name: 'node-52' } }] }) },
  ...changes,
});
const left = async (store: StateStore): Promise<readonly string[]> =>
  (await store.list(`${CLUSTER}/nodes`)).map(({ path }) => path).filter((path) => path.endsWith('boot-report.json'));

test('what is old is removed, but nothing of a Node that the API still knows', async () => {
  const store = await stored();
  await removeOldReports(asked(store), SIGNAL);
  const paths = await left(store);
  expect(paths).toHaveLength(51);
  expect(paths).toContain(`${CLUSTER}/nodes/node-52/boot-report.json`);
  expect(paths).not.toContain(`${CLUSTER}/nodes/node-51/boot-report.json`);
});

test('while the API does not answer, nothing is removed', async () => {
  const store = await stored();
  const get = async () => Promise.reject(new Error('the API is away'));
  await expect(removeOldReports(asked(store, { kube: { get } }), SIGNAL)).rejects.toThrow('the API is away');
  expect(await left(store)).toHaveLength(53);
});

test('a report that its machine writes at this moment stays', async () => {
  const store = await stored();
  const path = `${CLUSTER}/nodes/node-51/boot-report.json`;
  const machines = async () => {
    const there = await store.read(path);
    await store.write(path, new TextEncoder().encode('booted'), { ifVersion: there?.version ?? '' });
    return [];
  };
  await removeOldReports(asked(store, { machines }), SIGNAL);
  expect(await left(store)).toContain(path);
});
