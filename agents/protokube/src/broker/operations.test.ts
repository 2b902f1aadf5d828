import { BROKER_PATHS, parseKnowledge, parseMachines, parseRights } from '@kopsctl/node-identity/broker-messages.ts';
import { type Enrolment, printEnrolment } from '@kopsctl/node-identity/enrolment.ts';
import { Latest } from '@kopsctl/node-cloud/latest.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import { planHash } from '@kopsctl/node-plan/plan-hash.ts';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { publishedKeysetPath } from '@kopsctl/pki/keyset-store.ts';
import { printKeyset, publicHalf } from '@kopsctl/pki/keyset.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { printSecret } from '@kopsctl/state-store/stored-secret.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationsEnv } from './operations.ts';

const CLUSTER = 'demo.example.com';
const worker: CloudMachine = {
  instanceId: 'i-1',
  nodeName: 'nodes-1',
  address: '10.0.0.1',
  externalAddresses: [],
  role: 'Node',
  instanceGroup: 'nodes',
  running: true,
  launchedMs: 1000,
};
const controlPlane: CloudMachine = { ...worker, instanceId: 'i-0', nodeName: 'control-plane-1', role: 'ControlPlane' };
const enrolment: Enrolment = {
  node: 'nodes-1',
  instanceId: 'i-1',
  launchedMs: 1000,
  instanceGroup: 'nodes',
  machineKey: 'k',
  address: '10.0.0.1',
  enrolledAt: '2026-01-02T12:00:00Z',
};
const PLAN = Buffer.from('{"a":"plan"}');

let store: ReturnType<typeof createMemoryStore>;
let env: OperationsEnv;
beforeEach(() => {
  store = createMemoryStore();
  const machines = new Latest<CloudMachine>();
  machines.set({ revision: '1', items: [controlPlane, worker] });
  env = { cluster: CLUSTER, store, machines, verifierFacts: async () => ({ key: 'public' }) };
});

async function ask(path: string, body: string | Buffer): Promise<string> {
  const operation = OPERATIONS[path];
  if (operation === undefined) throw new Error(`there is no ${path}`);
  return Buffer.from(await operation.answer(Buffer.from(body), env, new AbortController().signal)).toString('utf8');
}

const put = async (path: string, bytes: string | Uint8Array): Promise<unknown> =>
  store.write(`${CLUSTER}/${path}`, Buffer.from(bytes), { ifAbsent: true });
const there = async (path: string): Promise<string> =>
  Buffer.from((await store.read(`${CLUSTER}/${path}`))?.bytes ?? []).toString('utf8');

test('there are eight operations, and no other', () => {
  expect(Object.keys(OPERATIONS).toSorted()).toEqual(Object.values(BROKER_PATHS).toSorted());
});

describe('plans', () => {
  test('of workers are given by their hash, and of control planes never, nor is what is not as its name says', async () => {
    const hash = planHash(PLAN);
    await put(`node-plans/${hash}.json`, PLAN);
    const wish = JSON.stringify({ planHash: hash });
    await expect(ask(BROKER_PATHS.plan, wish)).rejects.toMatchObject({ status: 404 });
    await put(`worker-plans/${hash}.json`, PLAN);
    expect(await ask(BROKER_PATHS.plan, wish)).toBe('{"a":"plan"}');
    await put(`worker-plans/${'a'.repeat(64)}.json`, PLAN);
    await expect(ask(BROKER_PATHS.plan, JSON.stringify({ planHash: 'a'.repeat(64) }))).rejects.toMatchObject({
      status: 404,
    });
  });

  test.each(['../pki/private/kubernetes-ca/keyset.yaml', '', 'A'.repeat(64), `${'a'.repeat(64)}/..`])(
    'are not named %j',
    async (hash) => {
      await expect(ask(BROKER_PATHS.plan, JSON.stringify({ planHash: hash }))).rejects.toMatchObject({ status: 400 });
    },
  );
});

describe('groups', () => {
  beforeEach(async () => {
    const rights = { principal: 'nodes.demo', secrets: ['gossip-key'], authorities: [] };
    await put('node-authority.json', JSON.stringify({ nodes: rights }));
    await put('secrets/gossip-key', printSecret(Buffer.from('ring')));
    await put('secrets/admin', printSecret(Buffer.from('token')));
    const keyset = await createCertificateAuthority({ commonName: 'kubernetes-ca', nowMs: Date.UTC(2026) });
    const published = Buffer.from(printKeyset(publicHalf(keyset)));
    await store.write(publishedKeysetPath(CLUSTER, 'kubernetes-ca'), published, { ifAbsent: true });
  });

  test('get what the store says that they get', async () => {
    const wish = JSON.stringify({ instanceGroup: 'nodes', secrets: ['admin'] });
    expect(parseRights(await ask(BROKER_PATHS.rights, wish))).toMatchObject({ principal: 'nodes.demo' });
    const knowledge = parseKnowledge(await ask(BROKER_PATHS.knowledge, wish));
    expect(knowledge.secrets).toEqual({ 'gossip-key': 'ring' });
    expect(knowledge.clusterCa).toContain('BEGIN CERTIFICATE');
    expect(JSON.stringify(knowledge)).not.toContain('PRIVATE KEY');
  });

  test.each(['admin', '../secrets/admin', '__proto__', 'toString'])(
    'that are not there, as %j, get nothing',
    async (group) => {
      const wish = JSON.stringify({ instanceGroup: group });
      expect(parseRights(await ask(BROKER_PATHS.rights, wish))).toBeUndefined();
      await expect(ask(BROKER_PATHS.knowledge, wish)).rejects.toMatchObject({ status: 404 });
    },
  );
});

describe('enrolments', () => {
  const enrol = async (one: Enrolment, version?: string): Promise<unknown> =>
    JSON.parse(await ask(BROKER_PATHS.enrol, JSON.stringify({ text: printEnrolment(one), version })));

  test('are written where there is none, and of one that has been replaced nothing is', async () => {
    expect(JSON.parse(await ask(BROKER_PATHS.enrolment, '{"node":"nodes-1"}'))).toEqual({});
    expect(await enrol(enrolment)).toEqual({ isWritten: true });
    expect(await enrol({ ...enrolment, machineKey: 'other' })).toEqual({ isWritten: false });
    expect(await enrol({ ...enrolment, machineKey: 'other' }, 'of long ago')).toEqual({ isWritten: false });
    expect(JSON.parse(await there('nodes/nodes-1/enrolment.json'))).toMatchObject({ machineKey: 'k' });
  });

  test('that a machine has are not taken over, whatever version is named', async () => {
    await enrol(enrolment);
    const { version } = JSON.parse(await ask(BROKER_PATHS.enrolment, '{"node":"nodes-1"}')).stored;
    await expect(enrol({ ...enrolment, machineKey: 'of a thief' }, version)).rejects.toMatchObject({ status: 403 });
    expect(JSON.parse(await there('nodes/nodes-1/enrolment.json'))).toMatchObject({ machineKey: 'k' });
  });

  test.each(['control-plane-1', 'nodes-9'])('of %s are neither read nor written', async (node) => {
    await put(`nodes/${node}/enrolment.json`, 'x');
    await expect(ask(BROKER_PATHS.enrolment, JSON.stringify({ node }))).rejects.toMatchObject({ status: 403 });
    await expect(enrol({ ...enrolment, node })).rejects.toMatchObject({ status: 403 });
    expect(await there(`nodes/${node}/enrolment.json`)).toBe('x');
  });

  test('have no path of their own', async () => {
    await expect(enrol({ ...enrolment, node: '../../config' })).rejects.toMatchObject({ status: 403 });
    expect(await store.list('')).toEqual([]);
  });
});

describe('boot reports', () => {
  const report = (node: string, more = ''): string => JSON.stringify({ kind: 'BootReport', node, more });

  test('are kept for the machine that they belong to, the newest last', async () => {
    await ask(BROKER_PATHS.report, report('nodes-1'));
    await ask(BROKER_PATHS.report, report('nodes-1', 'later'));
    expect(await there('nodes/nodes-1/boot-report.json')).toBe(report('nodes-1', 'later'));
    const state = JSON.stringify({ kind: 'MachineReport', node: 'nodes-1' });
    await ask(BROKER_PATHS.report, state);
    expect(await there('nodes/nodes-1/machine-report.json')).toBe(state);
    expect(await there('nodes/nodes-1/boot-report.json')).toBe(report('nodes-1', 'later'));
  });

  test.each([report('control-plane-1'), report('nodes-9'), report('../../config'), '{}', 'x', '[]', '\0'])(
    '%j is not',
    async (text) => {
      await expect(ask(BROKER_PATHS.report, text)).rejects.toThrow(/not a report|lists no machine/);
      expect(await store.list('')).toEqual([]);
    },
  );
});

test('the list of machines is given at once to whoever has another one, and when it changes to whoever has it', async () => {
  const { items } = parseMachines(await ask(BROKER_PATHS.machines, '{}'));
  expect(items.map(({ nodeName }) => nodeName)).toEqual(['control-plane-1', 'nodes-1']);
  const next = ask(BROKER_PATHS.machines, '{"after":"1"}');
  env.machines.set({ revision: '2', items: [] });
  expect(parseMachines(await next)).toEqual({ revision: '2', items: [] });
});

test('what evidence is verified with is told', async () => {
  expect(JSON.parse(await ask(BROKER_PATHS.verifierFacts, '{}'))).toEqual({ facts: { key: 'public' } });
});
