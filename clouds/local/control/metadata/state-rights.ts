import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import { WORKER_PLANS } from '@kopsctl/node-plan/plan-hash.ts';
import { GOSSIP_CONTROL_PLANE_KEY, GOSSIP_KEY } from '@kopsctl/model/discovery.ts';
import { RESTORE_RECORD } from '@kopsctl/state-store/etcd/restore-record.ts';
import { secretPath } from '@kopsctl/state-store/stored-secret.ts';

export interface StateRights {
  readonly mayList: boolean;
  mayRead(path: string): boolean;
  mayWrite(path: string): boolean;
}

export const NO_RIGHTS: StateRights = { mayList: false, mayRead: () => false, mayWrite: () => false };

/**
 * The rights of a machine in the state store. A worker reads plans of workers, unless its own comes from an authority,
 * and writes nothing; a machine with an API server holds the keys of its cluster and reads all of it. The control plane
 * writes reports and enrolments of every machine, the backups, and the keys of gossip; an API server writes the record
 * of a restore, to confirm that it has stopped.
 * Paths must be normalised: without `..` and without a leading slash.
 */
export function stateRights(
  cluster: string,
  machine: { readonly role: NodeRole; readonly planThroughAuthority?: boolean | undefined },
): StateRights {
  if (machine.role === 'ControlPlane') {
    const mayKeep = below([`${cluster}/nodes/`, `${cluster}/backups/`]);
    const keys = new Set([GOSSIP_KEY, GOSSIP_CONTROL_PLANE_KEY].map((name) => secretPath(cluster, name)));
    return { mayList: true, mayRead: below([`${cluster}/`]), mayWrite: (path) => mayKeep(path) || keys.has(path) };
  }
  if (machine.role === 'APIServer') {
    const isRestore = (path: string): boolean =>
      path.startsWith(`${cluster}/backups/etcd/`) && path.endsWith(`/${RESTORE_RECORD}`);
    return { mayList: true, mayRead: below([`${cluster}/`]), mayWrite: isRestore };
  }
  if (machine.planThroughAuthority === true) return NO_RIGHTS;
  return { mayList: false, mayRead: below([`${cluster}/${WORKER_PLANS}/`]), mayWrite: () => false };
}

function below(folders: readonly string[]): (path: string) => boolean {
  return (path) => folders.some((folder) => path.startsWith(folder) && path !== folder);
}
