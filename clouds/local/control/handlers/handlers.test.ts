import { describe, expect, test } from 'vitest';
import type { LocalDescription } from '../supervisor/describe-cluster.ts';
import type { MachineView } from '../records/records.ts';
import { machineHandler } from './machine.ts';
import { networkHandler } from './network.ts';
import { volumeHandler } from './volume.ts';

const network = { cidr: '172.30.0.0/24', storeUrl: 'file:///s', assetsDir: '/a' };
const running: LocalDescription = {
  isRunning: true,
  revision: '1',
  network: { ...network, layers: ['/l'], apiPort: 4430 },
  machines: [],
  volumes: [],
};
const machine = {
  name: 'nodes-1',
  instanceGroup: 'nodes',
  role: 'Node' as const,
  zone: 'a',
  tags: {},
  userData: '#!/bin/sh\n',
  network: { ref: 'local/Network/network' },
};
const view: MachineView = {
  name: 'nodes-1',
  nodeName: 'nodes-1',
  instanceGroup: 'nodes',
  role: 'Node',
  zone: 'a',
  tags: {},
  userDataHash: 'of other user-data',
  layers: [],
  address: '172.30.0.10',
  machineId: '0',
  wanted: 'running',
  createdMs: 0,
  state: 'running',
  boots: 1,
};
const actions = (steps: readonly { readonly action: string }[]): readonly string[] => steps.map(({ action }) => action);

describe('local/Network', () => {
  test.each([
    [undefined, ['create']],
    [{ ...running, isRunning: false }, ['start']],
    [{ ...running, network: { ...running.network, assetsDir: '/old' } }, ['update']],
    [running, []],
  ] as const)('plans what brings it about', (actual, expected) => {
    expect(actions(networkHandler.plan('network', network, actual))).toEqual(expected);
  });

  test('tells the supervisor of an identity, and does not care about one that nothing needs any more', () => {
    const withIdentity = { ...network, stateIdentity: '/root/identity' };
    const [step] = networkHandler.plan('network', networkHandler.parse(withIdentity), running);
    expect(step?.changes).toEqual([{ path: 'stateIdentity', to: '/root/identity' }]);
    const told = { ...running, network: { ...running.network, stateIdentity: '/root/identity' } };
    expect(networkHandler.plan('network', withIdentity, told)).toEqual([]);
    expect(networkHandler.plan('network', network, told)).toEqual([]);
  });
});

describe('local/Machine', () => {
  const props = machineHandler.parse(machine);

  test.each([
    [undefined, ['create']],
    [{ ...view, state: 'stopped' as const }, ['start']],
    [{ ...view, state: 'starting' as const }, []],
  ] as const)('plans what makes it run', (actual, expected) => {
    expect(actions(machineHandler.plan('nodes-1', props, actual))).toEqual(expected);
  });

  test('plans nothing for a running machine with different user data: a rolling update replaces it', () => {
    expect(machineHandler.plan('nodes-1', props, view)).toEqual([]);
    expect(machineHandler.outputs?.('nodes-1', props, view)).toMatchObject({ userDataHash: 'of other user-data' });
  });

  test('refuses a machine name that is not a host name', () => {
    expect(() => machineHandler.parse({ ...machine, name: '../etc' })).toThrow('lower-case letters');
  });
});

test('local/Volume plans nothing when the volume is there', () => {
  const volume = { name: 'a.etcd-main.demo', sizeGiB: 20, zone: 'a', tags: { 'k8s.io/etcd/main': 'a/a' } };
  const props = volumeHandler.parse(volume);
  expect(actions(volumeHandler.plan('v', props, undefined))).toEqual(['create']);
  expect(volumeHandler.plan('v', props, volume)).toEqual([]);
});
