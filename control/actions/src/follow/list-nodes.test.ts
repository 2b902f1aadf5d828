import { MACHINE_STATE_ANNOTATION, type MachineState } from '@kopsctl/node-plan/machine-state.ts';
import { ENROLLED } from '@kopsctl/model/machine-state.ts';
import type { BootReport } from '@kopsctl/node-plan/boot-report.ts';
import { expect, test } from 'vitest';
import { readNode } from '../access/kubernetes-objects.ts';
import { overview } from './list-nodes.ts';
import type { ReadBootReport } from './read-boot-report.ts';

const machine = {
  name: 'cp-1',
  nodeName: 'cp-1',
  role: 'ControlPlane',
  instanceGroup: 'cp',
  address: '10.0.0.1',
  state: 'running',
};
const state: MachineState = {
  discovery: { by: 'gossip', names: 3, members: 2 },
  volumes: {
    main: { isMounted: true, member: 'a', summary: '' },
    events: { isMounted: false, summary: 'wait for a free events volume' },
  },
  isLeader: true,
  drift: {
    checkedAt: '2026-01-01T00:10:00.000Z',
    planHash: 'a'.repeat(64),
    differences: [
      { task: 'File/a', what: 'write /a (mode 0644)', outcome: 'reported' },
      { task: 'File/b', what: 'look at it', outcome: 'unknown', why: 'the store does not answer' },
    ],
    repaired: { at: '2026-01-01T00:05:00.000Z', tasks: ['File/c'] },
  },
  failures: { dns: 'the zone is not there' },
};
const node = (text: string) => ({
  name: 'cp-1',
  machineId: 'm',
  conditions: [{ type: 'Ready', status: 'True' }],
  state: text,
});
const addons = [
  { name: 'dns', manifestHash: '', objects: 1, status: 'applied' as const },
  { name: 'net', manifestHash: '', objects: 1, status: 'failed' as const, failure: 'refused' },
];
const task = { task: 'File/a', startedAt: '', durationMs: 1, attempts: 1 };
const report: BootReport & Pick<ReadBootReport, 'machine'> = {
  machine: {
    memory: { totalBytes: 4_096_000_000, swapBytes: 0 },
    operatingSystem: { name: 'Debian GNU/Linux', version: '12', kernel: '6.1.0' },
  },
  apiVersion: 'kopsctl.io/v1',
  kind: 'BootReport',
  node: 'cp-1',
  planHash: 'ab'.repeat(32),
  startedAt: '2026-01-01T00:00:00.000Z',
  finishedAt: '2026-01-01T00:00:09.000Z',
  result: 'failed',
  tasks: [
    { ...task, result: 'changed' },
    { ...task, task: 'Package/x', result: 'failed', error: 'no such package', hint: 'look at the mirror' },
  ],
};

test('a row says how a machine is found, what it holds, how it booted, and all that is wrong with it', () => {
  expect(MACHINE_STATE_ANNOTATION).toMatch(/^kopsctl\.io\//);
  expect(overview(machine, { nodes: [node(JSON.stringify(state))], addons }, report)).toEqual({
    node: 'cp-1',
    plan: '',
    runs: 'ab'.repeat(32),
    drift: '2 tasks differ, 1 repaired',
    role: 'ControlPlane',
    instanceGroup: 'cp',
    address: '10.0.0.1',
    status: 'Ready',
    boot: 'failed, 1 of 2 tasks',
    discovery: 'gossip, 2 members, 3 names',
    volumes: 'main a, events not mounted',
    addons: '1 applied, 1 failed',
    machine: {
      processors: '-',
      memory: '3.8 GiB',
      disks: '-',
      operatingSystem: 'Debian GNU/Linux 12',
      kernel: '6.1.0',
      virtualization: '-',
      network: '-',
    },
    failures: [
      'Package/x: no such package; look at the mirror',
      'wait for a free events volume',
      'differs from its plan in File/a: would write /a (mode 0644)',
      'it is not known whether it differs from its plan in File/b: the store does not answer',
      'dns: the zone is not there',
      'addon net: refused',
    ],
  });
});

test.each([
  ['while the API does not answer', machine, undefined, 'unknown'],
  ['before it has joined', machine, { nodes: [], addons: [] }, 'no Node'],
  ['while it does not run', { ...machine, state: 'stopped' }, undefined, 'stopped'],
])('%s a machine is shown with what is known', (_title, one, told, status) => {
  expect(overview(one, told, undefined)).toMatchObject({ status, boot: 'no report yet', discovery: '', failures: [] });
});

test('a machine that no cloud lists is as Ready as its Node; one that does not run is not', () => {
  const nodes = [node(JSON.stringify(state))];
  expect(overview({ ...machine, state: ENROLLED }, { nodes, addons }, report).status).toBe('Ready');
  expect(overview({ ...machine, state: ENROLLED }, { nodes: [], addons }, report).status).toBe('no Node');
  expect(overview({ ...machine, state: 'stopped' }, { nodes, addons }, report).status).toBe('stopped');
});

test('a machine that says nonsense of itself is shown without it', () => {
  const told = { nodes: [node('{')], addons: [] };
  expect(overview(machine, told, undefined)).toMatchObject({ status: 'Ready', discovery: '' });
});

test('a boot report that cannot be read is said to be so', () => {
  expect(overview(machine, undefined, { unreadable: 'result: Invalid input' })).toMatchObject({
    boot: 'report unreadable',
    failures: ['its boot report cannot be read: result: Invalid input'],
  });
});

test.each(['null', '7', '[]', '{"volumes":{"main":null},"failures":{"a":{}}}', '{"discovery":{"by":1}}'])(
  'a machine that says %s of itself breaks nothing',
  (text) => {
    expect(overview(machine, { nodes: [node(text)], addons: [] }, undefined)).toMatchObject({
      status: 'Ready',
      failures: [],
    });
  },
);

test('no control character that a machine says of itself gets through', () => {
  const text = JSON.stringify({ ...state, failures: { dns: '\u001b[2Jgone' } });
  expect(overview(machine, { nodes: [node(text)], addons: [] }, undefined).failures).toContain('dns: \ufffd[2Jgone');
});

test('a Node that is marked as needing an update is told, and which plan its machine runs', () => {
  const marked = readNode({ metadata: { name: 'w-1', annotations: { 'kops.k8s.io/needs-update': '' } } });
  const machine = { name: 'w-1', nodeName: 'w-1', role: 'Node', instanceGroup: 'w', address: '', state: 'running' };
  const { plan } = overview(machine, { nodes: [marked], addons: [] }, undefined, { machines: 1, outdated: [] });
  expect(plan).toBe('marked by kops.k8s.io/needs-update');
});
