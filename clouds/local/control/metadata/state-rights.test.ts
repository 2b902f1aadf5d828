import { expect, test } from 'vitest';
import { stateRights } from './state-rights.ts';

const worker = stateRights('demo.example.com', { role: 'Node', nodeName: 'nodes-1' });
const controlPlane = stateRights('demo.example.com', { role: 'ControlPlane', nodeName: 'cp-1' });

test.each([
  ['node-plans/abc.json', true],
  ['secrets/kubelet-bootstrap-token', true],
  ['secrets/kubelet-bootstrap-token.old', false],
  ['secrets/admin', false],
  ['pki/issued/kubernetes-ca/ca.crt', true],
  ['pki/private/kubernetes-ca/keyset.yaml', false],
  ['cluster.spec', false],
  ['nodes/nodes-1/boot-report.json', true],
  ['nodes/nodes-10/boot-report.json', false],
])('a worker reads %s: %s', (path, may) => {
  expect(worker.mayRead(`demo.example.com/${path}`)).toBe(may);
});

test('a worker writes its own reports and nothing else', () => {
  expect(worker.mayWrite('demo.example.com/nodes/nodes-1/boot-report.json')).toBe(true);
  expect(worker.mayWrite('demo.example.com/nodes/nodes-2/boot-report.json')).toBe(false);
  expect(worker.mayWrite('demo.example.com/node-plans/abc.json')).toBe(false);
});

test('an API server on a machine of its own reads its keys, writes its own reports, and writes no backups', () => {
  const apiServer = stateRights('demo.example.com', { role: 'APIServer', nodeName: 'api-1' });
  expect(apiServer.mayRead('demo.example.com/pki/private/service-account/keyset.yaml')).toBe(true);
  expect(apiServer.mayRead('other.example.com/config')).toBe(false);
  expect(apiServer.mayWrite('demo.example.com/nodes/api-1/boot-report.json')).toBe(true);
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
