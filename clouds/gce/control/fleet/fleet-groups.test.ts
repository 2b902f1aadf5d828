import { expect, test } from 'vitest';
import type { ManagedMachine } from '../handlers/managed-machines.ts';
import { fleetGroups, type ListedGroup, madeByKopsctl } from './fleet-groups.ts';

const ROLES = new Map([
  ['cp', 'ControlPlane'],
  ['nodes', 'Node'],
] as const);
const NEW = 'projects/acme/global/instanceTemplates/nodes-new';
const OLD = 'projects/acme/global/instanceTemplates/nodes-old';

const listed = (name: string, template = NEW, action = 'NONE', id = `id of ${name}`): ManagedMachine => ({
  path: `projects/acme/zones/us-east1-b/instances/${name}`,
  id,
  action,
  template,
});
const group = (machines: readonly ManagedMachine[], changes: Partial<ListedGroup> = {}): ListedGroup => ({
  path: 'projects/acme/zones/us-east1-b/instanceGroupManagers/b-nodes-demo',
  name: 'b-nodes-demo',
  instanceGroup: 'nodes',
  targetSize: machines.length,
  templates: [NEW],
  targetPools: [],
  listed: machines,
  ...changes,
});
const machine = (name: string) => ({
  instanceId: `us-east1-b/${name}`,
  nodeName: name,
  address: '10.0.16.2',
  externalAddresses: [],
  role: 'Node' as const,
  instanceGroup: 'nodes',
  running: true,
});
const nodes = (...groups: readonly ListedGroup[]) =>
  fleetGroups(ROLES, groups, [machine('a'), machine('b'), machine('c')]).find(({ name }) => name === 'nodes');

test('a machine is current if it was made from the template of its group', () => {
  const found = nodes(group([listed('a'), listed('b', OLD)]))?.machines;
  expect(found?.map(({ name, nodeName, isCurrent }) => ({ name, nodeName, isCurrent }))).toEqual([
    { name: 'us-east1-b/a', nodeName: 'a', isCurrent: true },
    { name: 'us-east1-b/b', nodeName: 'b', isCurrent: false },
  ]);
});

test('while somebody else rolls out a second template of a group by hand, no machine of it is current', () => {
  expect(nodes(group([listed('a')], { templates: [NEW, OLD] }))?.machines.map(({ isCurrent }) => isCurrent)).toEqual([
    false,
  ]);
});

test('the managed groups of all zones are one group', () => {
  const found = nodes(group([listed('a')]), group([listed('b')], { targetSize: 4 }));
  expect({ wanted: found?.wanted, machines: found?.machines.length }).toEqual({ wanted: 5, machines: 2 });
});

test.each(['DELETING', 'ABANDONING', 'RECREATING', 'CREATING'])('a machine that is %s does not count', (action) => {
  expect(nodes(group([listed('a', NEW, action)]))?.machines).toEqual([]);
});

test('a machine that has no number yet is not there yet', () => {
  expect(nodes(group([listed('a', NEW, 'NONE', '')]))?.machines).toEqual([]);
});

test('an instance group without machines is there', () => {
  expect(fleetGroups(ROLES, [], []).map(({ name, wanted }) => `${name} ${wanted}`)).toEqual(['cp 0', 'nodes 0']);
});

const OF_KOPS = 'projects/acme/global/instanceTemplates/nodes-demo-1758000000';

test.each<[string, readonly ListedGroup[], readonly string[], readonly string[]]>([
  ['kops has put its template back, but no machine', [group([listed('a')], { templates: [OF_KOPS] })], [], ['a']],
  [
    'kops has replaced one machine of two',
    [group([listed('a'), listed('b', OF_KOPS)], { templates: [OF_KOPS] })],
    [],
    ['a'],
  ],
  ['nothing is of kops', [group([listed('a'), listed('b')])], ['nodes'], ['a', 'b']],
  ['everything is of kops', [group([listed('a', OF_KOPS)], { templates: [OF_KOPS] })], [], []],
  ['one zone of two is of kops', [group([listed('a', OF_KOPS)], { templates: [OF_KOPS] }), group([])], ['nodes'], []],
  ['nothing tells the template of a machine', [group([listed('a', '')])], ['nodes'], ['a']],
])('what kopsctl made where %s', (_what, groups, names, machines) => {
  expect(madeByKopsctl(groups, new Set([NEW]))).toEqual({
    groups: names,
    machines: machines.map((name) => `us-east1-b/${name}`),
  });
});
