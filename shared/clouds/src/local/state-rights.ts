import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import { RESTORE_RECORD } from '@kopsctl/state-store/etcd/restore-record.ts';
import { secretPath } from '@kopsctl/state-store/stored-secret.ts';

export interface StateRights {
  mayRead(path: string): boolean;
  mayWrite(path: string): boolean;
}

export const NO_RIGHTS: StateRights = { mayRead: () => false, mayWrite: () => false };

/**
 * What a machine may do with the state store. A worker reads what a worker needs and no private key; a machine with an
 * API server reads all of its cluster, whose keys it holds. Each writes only its own reports, the control plane the
 * backups, and an API server in the record of a restore that it has ended. Paths reach this normalised: without `..`, without a leading slash.
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
  // What a worker joins with.
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
