import { expect, test } from 'vitest';
import { stateRights } from './state-rights.ts';

const worker = stateRights('demo.example.com', { role: 'Node' });
const controlPlane = stateRights('demo.example.com', { role: 'ControlPlane' });

test.each([
  ['worker-plans/abc.json', true],
  ['worker-plans/', false],
  ['node-plans/abc.json', false],
  ['secrets/gossip-key', false],
  ['secrets/admin', false],
  ['pki/issued/kubernetes-ca/ca.crt', false],
  ['pki/private/kubernetes-ca/keyset.yaml', false],
  ['cluster.spec', false],
  ['nodes/nodes-1/boot-report.json', false],
  ['nodes/nodes-10/boot-report.json', false],
])('a worker reads %s: %s', (path, may) => {
  expect(worker.mayRead(`demo.example.com/${path}`)).toBe(may);
});

test('a worker that gets its plan from an authority reads nothing', () => {
  const machine = { role: 'Node', planThroughAuthority: true } as const;
  expect(stateRights('demo.example.com', machine).mayRead('demo.example.com/worker-plans/abc.json')).toBe(false);
});

test('a worker writes nothing, and lists nothing', () => {
  expect(worker.mayList).toBe(false);
  expect(worker.mayWrite('demo.example.com/nodes/nodes-1/boot-report.json')).toBe(false);
  expect(worker.mayWrite('demo.example.com/node-plans/abc.json')).toBe(false);
});

test('an API server on a machine of its own reads its keys, and writes no reports and no backups', () => {
  const apiServer = stateRights('demo.example.com', { role: 'APIServer' });
  expect(apiServer.mayRead('demo.example.com/pki/private/service-account/keyset.yaml')).toBe(true);
  expect(apiServer.mayRead('other.example.com/config')).toBe(false);
  // An authority takes its reports.
  expect(apiServer.mayWrite('demo.example.com/nodes/api-1/boot-report.json')).toBe(false);
  expect(apiServer.mayWrite('demo.example.com/nodes/api-1/enrolment.json')).toBe(false);
  expect(apiServer.mayWrite('demo.example.com/backups/etcd/main/x/_etcd_backup.meta')).toBe(false);
  // A restore waits until the API server confirms that it has stopped.
  expect(apiServer.mayWrite('demo.example.com/backups/etcd/main/control/restore.json')).toBe(true);
  expect(apiServer.mayWrite('other.example.com/backups/etcd/main/control/restore.json')).toBe(false);
  expect(worker.mayWrite('demo.example.com/backups/etcd/main/control/restore.json')).toBe(false);
});

test('a control plane reads its own cluster only, and writes reports and backups', () => {
  expect(controlPlane.mayRead('demo.example.com/pki/private/kubernetes-ca/keyset.yaml')).toBe(true);
  expect(controlPlane.mayRead('other.example.com/config')).toBe(false);
  expect(controlPlane.mayWrite('demo.example.com/backups/etcd/main/x/_etcd_backup.meta')).toBe(true);
  expect(controlPlane.mayWrite('demo.example.com/config')).toBe(false);
});

test('the control plane changes the keys of gossip and no other secret, and workers read none of them', () => {
  for (const name of ['gossip-key', 'gossip-key-control-plane']) {
    expect(controlPlane.mayWrite(`demo.example.com/secrets/${name}`)).toBe(true);
    expect(worker.mayRead(`demo.example.com/secrets/${name}`)).toBe(false);
  }
  expect(controlPlane.mayWrite('demo.example.com/secrets/admin')).toBe(false);
  expect(worker.mayRead('demo.example.com/pki/private/gossip-records-ca/keyset.yaml')).toBe(false);
});
