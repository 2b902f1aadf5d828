import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLog } from '@kopsctl/agent/log.ts';
import { type Broker, openBroker } from '@kopsctl/node-authority/broker/broker.ts';
import type { Candidate } from '@kopsctl/node-authority/enrolment/admit.ts';
import { enrol } from '@kopsctl/node-authority/enrolment/enrol.ts';
import { Latest } from '@kopsctl/node-cloud/latest.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import { type Enrolment, enrolmentPath, parseEnrolment, printEnrolment } from '@kopsctl/node-identity/enrolment.ts';
import { planHash, planPath } from '@kopsctl/node-plan/plan-hash.ts';
import { reconcileBroker } from '@kopsctl/protokube/broker/reconcile-broker.ts';
import { createFileStore } from '@kopsctl/state-store/file/file-store.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const CLUSTER = 'demo.example.com';
const WAIT = { timeout: 30_000, interval: 10 };
const NOW_MS = Date.parse('2026-01-02T12:00:00Z');
const machine: CloudMachine = {
  instanceId: 'i-1',
  nodeName: 'nodes-1',
  address: '10.0.0.1',
  externalAddresses: [],
  role: 'Node',
  instanceGroup: 'nodes',
  running: true,
  launchedMs: NOW_MS,
};
const kube = { remove: async () => false, get: async () => ({ items: [] }) };

let folder: string;
let store: StateStore;
let machines: Latest<CloudMachine>;
let lines: string[];
const stops: (() => Promise<void>)[] = [];

const logOf = (subject: string) => makeLog((line) => lines.push(line), false, subject);
const socketOf = (controlPlane: string): string => join(folder, controlPlane, 'broker.sock');
const signal = (): AbortSignal => AbortSignal.timeout(60_000);

/** Starts protokube of a control plane. Returns a function that stops it. */
async function startProtokube(controlPlane = 'a'): Promise<() => Promise<void>> {
  const ended = new AbortController();
  const accountsPath = join(folder, 'passwd');
  const log = logOf(`protokube-${controlPlane}`);
  const isServing = () => lines.filter((line) => line.startsWith(`protokube-${controlPlane}: serves`)).length;
  const before = isServing();
  const env = { cluster: CLUSTER, store, machines, verifierFacts: async () => ({ key: 'public' }), accountsPath, log };
  const running = reconcileBroker({ socket: socketOf(controlPlane), user: 'authority' }, env, ended.signal).catch(
    () => undefined,
  );
  const stop = async (): Promise<void> => {
    ended.abort();
    await running;
  };
  stops.push(stop);
  await vi.waitFor(() => expect(isServing()).toBe(before + 1), WAIT);
  return stop;
}

const authority = (controlPlane = 'a'): Broker => openBroker(socketOf(controlPlane), logOf('authority'));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kops-broker-'));
  await writeFile(join(folder, 'passwd'), `authority:x:${process.getuid?.()}:${process.getgid?.()}::/:/bin/false\n`);
  store = createFileStore(`file://${join(folder, 'store')}`);
  machines = new Latest<CloudMachine>();
  machines.set({ revision: '1', items: [machine] });
  lines = [];
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await rm(folder, { recursive: true });
});

const enrolment: Enrolment = {
  node: 'nodes-1',
  instanceId: 'i-1',
  launchedMs: NOW_MS,
  instanceGroup: 'nodes',
  machineKey: 'k',
  address: '10.0.0.1',
  enrolledAt: '2026-01-02T12:00:00.000Z',
};

test('an authority gets to know what it needs, and nothing of its requests is a path', async () => {
  await startProtokube();
  const broker = authority();
  expect(await broker.machines(undefined, signal())).toEqual({ revision: '1', items: [machine] });
  expect(await broker.verifierFacts(signal())).toEqual({ key: 'public' });
  expect(await broker.enrolments.read('nodes-1', signal())).toBeUndefined();
  expect(await broker.enrolments.write(enrolment, undefined, signal())).toBe(true);
  const stored = await broker.enrolments.read('nodes-1', signal());
  expect(parseEnrolment(stored?.text ?? '')).toEqual(enrolment);
  const plan = Buffer.from('{"a":"plan of ä worker"}');
  await store.write(planPath(CLUSTER, 'worker-plans', planHash(plan)), plan, { ifAbsent: true });
  expect(await broker.workerPlan(planHash(plan), signal())).toEqual(plan);
  const other = Buffer.from('{"a":"plan of a control plane"}');
  await store.write(planPath(CLUSTER, 'node-plans', planHash(other)), other, { ifAbsent: true });
  expect(await broker.workerPlan(planHash(other), signal())).toBeUndefined();
  const report = Buffer.from(JSON.stringify({ kind: 'BootReport', node: 'nodes-1' }));
  await broker.keepReport(report, signal());
  expect(Buffer.from((await store.read(`${CLUSTER}/nodes/nodes-1/boot-report.json`))?.bytes ?? [])).toEqual(report);
  const state = Buffer.from(JSON.stringify({ kind: 'MachineReport', node: 'nodes-1' }));
  await broker.keepReport(state, signal());
  expect(Buffer.from((await store.read(`${CLUSTER}/nodes/nodes-1/machine-report.json`))?.bytes ?? [])).toEqual(state);

  await expect(broker.enrolments.read('../pki/private/kubernetes-ca', signal())).rejects.toThrow('node');
  await expect(broker.enrolments.read('nodes-2', signal())).rejects.toThrow('lists no machine');
  await expect(broker.workerPlan('../node-plans/x', signal())).rejects.toThrow('planHash');
});

test('an authority waits while protokube is being restarted, and says so once', async () => {
  const stop = await startProtokube();
  const broker = authority();
  await broker.enrolments.write(enrolment, undefined, signal());
  await stop();
  const asked = Promise.all(Array.from({ length: 50 }, () => broker.enrolments.read('nodes-1', signal())));
  await vi.waitFor(() => expect(lines.some((line) => line.includes('protokube does not answer'))).toBe(true), WAIT);
  await startProtokube();
  for (const stored of await asked) expect(parseEnrolment(stored?.text ?? '')).toEqual(enrolment);
  expect(lines.filter((line) => line.includes('protokube does not answer'))).toHaveLength(1);
  expect(lines.filter((line) => line.includes('protokube answers again'))).toHaveLength(1);
});

test('a list that is waited for comes when it changes, also across a restart', async () => {
  const stop = await startProtokube();
  const broker = authority();
  const next = broker.machines('1', signal());
  await stop();
  await startProtokube();
  machines.set({ revision: '2', items: [] });
  expect(await next).toEqual({ revision: '2', items: [] });
});

test('where protokube stays away, the failure says where to look', { timeout: 120_000 }, async () => {
  await expect(authority().verifierFacts(signal())).rejects.toMatchObject({
    next: expect.stringContaining('journalctl -u protokube'),
  });
});

test('three authorities enrol one machine with three keys: one of these gets the name, each time', async () => {
  const brokers: Broker[] = [];
  for (const controlPlane of ['a', 'b', 'c']) {
    await startProtokube(controlPlane);
    brokers.push(authority(controlPlane));
  }
  const nodes = Array.from({ length: 100 }, (_, index) => `nodes-${index}`);
  const listed = nodes.map((nodeName) => ({ ...machine, nodeName, instanceId: `i-${nodeName}` }));
  machines.set({ revision: '2', items: listed });
  for (const one of listed) {
    const outcomes = await Promise.all(
      brokers.map(({ enrolments }, index) => {
        const candidate: Candidate = { machine: one, machineKey: `key-${index}`, isProven: true };
        return enrol(candidate, { enrolments, kube, machines: () => listed, nowMs: () => NOW_MS }, signal());
      }),
    );
    const winner = outcomes.findIndex(({ result }) => result === 'accepted');
    expect(outcomes.filter(({ result }) => result === 'accepted')).toHaveLength(1);
    expect(outcomes.filter(({ result }) => result === 'refused')).toHaveLength(2);
    const stored = await store.read(enrolmentPath(CLUSTER, one.nodeName));
    expect(parseEnrolment(Buffer.from(stored?.bytes ?? []).toString())).toMatchObject({ machineKey: `key-${winner}` });
  }
});

test('a stolen authority takes no name from a machine that has it, and takes back no mark of a person', async () => {
  await startProtokube();
  const { enrolments } = authority();
  const path = enrolmentPath(CLUSTER, 'nodes-1');
  const thief = { ...enrolment, machineKey: 'of a thief' };
  await enrolments.write(enrolment, undefined, signal());
  const version = (await enrolments.read('nodes-1', signal()))?.version;
  await expect(enrolments.write(thief, version, signal())).rejects.toThrow('may not have another key');

  const revoked = { ...enrolment, permitsNewKey: true, revokedAt: '2026-01-02T13:00:00Z' } as const;
  const bytes = Buffer.from(printEnrolment(revoked));
  const { version: marked } = await store.write(path, bytes, { ifVersion: version ?? '' });
  await expect(enrolments.write(thief, marked, signal())).rejects.toThrow('was revoked');
  expect(Buffer.from((await store.read(path))?.bytes ?? [])).toEqual(bytes);
});
