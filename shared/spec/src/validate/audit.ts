import type { ClusterSpec } from '../cluster.ts';
import { API_SERVER_DIR, folderOf } from '../node-paths.ts';
import { fault, type Fault } from './fault.ts';

/** Folders that the API server's pod has already, and the root of its own files. */
const TAKEN: readonly string[] = ['/', '/etc/ssl', '/etc/pki', '/usr/share/ca-certificates', API_SERVER_DIR];

/** The API server's pod mounts the folder of its audit log, and the files of a person for audits. */
export function* validateAudit({ kubeAPIServer = {} }: ClusterSpec): Iterable<Fault> {
  const { auditLogPath } = kubeAPIServer;
  for (const field of ['auditLogPath', 'auditPolicyFile', 'auditWebhookConfigFile'] as const) {
    const path = kubeAPIServer[field] ?? '-';
    if (path.startsWith('/') || (path === '-' && (field === 'auditLogPath' || kubeAPIServer[field] === undefined)))
      continue;
    yield fault(`spec.kubeAPIServer.${field}`, `'${path}' is not an absolute path`, 'write one that begins with /');
  }
  if (auditLogPath?.startsWith('/') !== true || !TAKEN.includes(folderOf(auditLogPath))) return;
  yield fault(
    'spec.kubeAPIServer.auditLogPath',
    `the API server cannot write to ${folderOf(auditLogPath)}`,
    'use a file in another folder, such as /var/log/kube-apiserver-audit.log',
  );
}
