import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import type { Enrolment } from '@kopsctl/node-identity/enrolment.ts';
import { expect, test } from 'vitest';
import { whyNotEnrolled } from './why-not-enrolled.ts';

const NOW_MS = Date.parse('2026-01-05T12:00:00Z');

const machine: CloudMachine = {
  instanceId: 'i-1',
  nodeName: 'nodes-1',
  address: '10.0.0.1',
  externalAddresses: [],
  role: 'Node',
  instanceGroup: 'nodes',
  running: true,
  launchedMs: 1000,
};
const wanted: Enrolment = {
  node: 'nodes-1',
  instanceId: 'i-1',
  launchedMs: 1000,
  instanceGroup: 'nodes',
  machineKey: 'new',
  address: '10.0.0.1',
  enrolledAt: '2026-01-02T12:00:00Z',
};
const before: Enrolment = { ...wanted, machineKey: 'old' };
const elder: Enrolment = { ...before, instanceId: 'i-0', launchedMs: 0 };

test.each<[string, Enrolment, Enrolment | undefined]>([
  ['the first machine of a name', wanted, undefined],
  ['an API server on a machine of its own', { ...wanted, node: 'api-1', instanceId: 'i-2' }, undefined],
  ['another key of a machine whose new key a person permits', wanted, { ...before, permitsNewKey: true }],
  ['a new machine in place of one that is gone', wanted, elder],
  ['the same local machine, made again', wanted, { ...before, launchedMs: 500 }],
  ['a new machine in place of one that was revoked long ago', wanted, { ...elder, revokedAt: '2026-01-01T00:00:00Z' }],
])('%s is enrolled', (_title, next, there) => {
  const apiServer: CloudMachine = { ...machine, instanceId: 'i-2', nodeName: 'api-1', role: 'APIServer' };
  expect(whyNotEnrolled(next, there, [machine, apiServer], NOW_MS)).toBeUndefined();
});

test.each<[string, Enrolment, Enrolment | undefined, readonly CloudMachine[], string]>([
  ['a machine that the cloud does not list', wanted, undefined, [], 'lists no i-1'],
  ['a control plane', wanted, undefined, [{ ...machine, role: 'ControlPlane' }], 'lists no i-1'],
  ['under another name', { ...wanted, node: 'nodes-2' }, undefined, [machine], 'with the name nodes-2'],
  ['as one of another group', { ...wanted, instanceGroup: 'gpu' }, undefined, [machine], 'of gpu'],
  ['as one of another time', { ...wanted, launchedMs: 1 }, undefined, [machine], 'lists no i-1'],
  ['with another key', wanted, before, [machine], 'may not have another key'],
  ['with the same key again', before, before, [machine], 'may not have another key'],
  [
    'a machine that was revoked',
    wanted,
    { ...before, permitsNewKey: true, revokedAt: '2026-01-01T00:00:00Z' },
    [machine],
    'was revoked at 2026',
  ],
  ['in place of one that is there', wanted, elder, [machine, { ...machine, instanceId: 'i-0' }], 'i-0 has the name'],
  [
    'in place of one that was revoked lately',
    wanted,
    { ...elder, revokedAt: '2026-01-04T00:00:00Z' },
    [machine],
    'cannot be used again until',
  ],
  [
    'under the name of a control plane',
    wanted,
    elder,
    [machine, { ...machine, instanceId: 'i-9', role: 'ControlPlane' }],
    'i-9 has the same name',
  ],
  ['with a permission for the next key', { ...wanted, permitsNewKey: true }, undefined, [machine], 'only a person'],
  ['as revoked', { ...wanted, revokedAt: '2026-01-01T00:00:00Z' }, undefined, [machine], 'only a person'],
])('%s it is not', (_title, next, there, machines, why) => {
  expect(whyNotEnrolled(next, there, machines, NOW_MS)).toContain(why);
});
