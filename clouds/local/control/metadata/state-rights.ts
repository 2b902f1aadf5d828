import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import { RESTORE_RECORD } from '@kopsctl/state-store/etcd/restore-record.ts';
import { secretPath } from '@kopsctl/state-store/stored-secret.ts';

export interface StateRights {
  mayRead(path: string): boolean;
  mayWrite(path: string): boolean;
}

export const NO_RIGHTS: StateRights = { mayRead: () => false, mayWrite: () => false };

/**
 * The rights of a machine in the state store. A worker reads what it needs to join, but no private keys; a machine with
 * an API server holds the keys of its cluster and reads all of it. Every machine writes its own reports, the control
 * plane also the backups, and an API server the record of a restore, to confirm that it has stopped. Paths must be
 * normalised: without `..` and without a leading slash.
 */
export function stateRights(
  cluster: string,
  machine: { readonly role: NodeRole; readonly nodeName: string },
): StateRights {
  const own = [`${cluster}/nodes/${machine.nodeName}/`];
  if (machine.role === 'ControlPlane') {
    return { mayRead: below([`${cluster}/`]), mayWrite: below([...own, `${cluster}/backups/`]) };
  }
  if (machine.role === 'APIServer') {
    const mayReport = below(own);
    const isRestore = (path: string): boolean =>
      path.startsWith(`${cluster}/backups/etcd/`) && path.endsWith(`/${RESTORE_RECORD}`);
    return { mayRead: below([`${cluster}/`]), mayWrite: (path) => mayReport(path) || isRestore(path) };
  }
  // What a worker needs to join.
  const joining = new Set(['kubelet-bootstrap-token', 'gossip-key'].map((name) => secretPath(cluster, name)));
  const readable = below([`${cluster}/node-plans/`, `${cluster}/pki/issued/`, ...own]);
  return {
    mayRead: (path) => joining.has(path) || readable(path),
    mayWrite: below(own),
  };
}

function below(folders: readonly string[]): (path: string) => boolean {
  return (path) => folders.some((folder) => path.startsWith(folder) && path !== folder);
}
