import { expect, test } from 'vitest';
import type { KubeAPIServerConfig } from '../cluster.ts';
import { validateAudit } from './audit.ts';

const faults = (kubeAPIServer: KubeAPIServerConfig): readonly string[] =>
  [...validateAudit({ kubeAPIServer })].map(({ path, message }) => `${path} ${message}`);

test('an audit log is in a folder that the API server can write to', () => {
  expect(faults({ auditLogPath: '/var/log/kube-apiserver-audit.log' })).toEqual([]);
  expect(faults({ auditLogPath: '-' })).toEqual([]);
  expect(faults({ auditLogPath: '/audit.log' })).toEqual([
    'spec.kubeAPIServer.auditLogPath the API server cannot write to /',
  ]);
  expect(faults({ auditLogPath: '/srv/kubernetes/kube-apiserver/audit.log' })).toEqual([
    'spec.kubeAPIServer.auditLogPath the API server cannot write to /srv/kubernetes/kube-apiserver',
  ]);
});

test('paths of audits are absolute', () => {
  expect(faults({ auditPolicyFile: 'policy.yaml' })).toEqual([
    "spec.kubeAPIServer.auditPolicyFile 'policy.yaml' is not an absolute path",
  ]);
});
