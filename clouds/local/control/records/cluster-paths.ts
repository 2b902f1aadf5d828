import { join } from 'node:path';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

/** The folder of local clusters, unless told otherwise. */
export const DEFAULT_DIR = '/var/lib/kopsctl/local';

/** The paths of the state of a local cluster. Everything below `root` is removed with the cluster. */
export interface ClusterPaths {
  readonly root: string;
  /** The Unix socket of the API, mode 0600. */
  readonly socket: string;
  /** Locked while a supervisor runs. */
  readonly lock: string;
  /** The supervisor's process in the host's PID namespace: PID and start time. */
  readonly holder: string;
  readonly network: string;
  readonly log: string;
  readonly machines: string;
  readonly volumes: string;
}

export function clusterPaths(dir: string, cluster: string): ClusterPaths {
  if (!/^[a-z0-9][a-z0-9.-]*$/.test(cluster)) {
    throw new ActionableError({
      what: `find the machines of ${JSON.stringify(cluster)} on this computer`,
      why: 'it is not the name of a cluster: those have lower-case letters, digits, dots and dashes',
      next: 'check the name',
    });
  }
  const root = join(dir, cluster);
  return {
    root,
    socket: join(root, 'supervisor.sock'),
    lock: join(root, 'supervisor.lock'),
    holder: join(root, 'holder.json'),
    network: join(root, 'network.json'),
    log: join(root, 'supervisor.log'),
    machines: join(root, 'machines'),
    volumes: join(root, 'volumes'),
  };
}

/** The paths of a machine. */
export interface MachinePaths {
  readonly root: string;
  readonly record: string;
  /**
   * The top read-only layer of its root: host name, user data. Written once, so a machine cannot change its own user
   * data.
   */
  readonly seed: string;
  readonly upper: string;
  readonly work: string;
  readonly mountPoint: string;
  /** Folders on the host's file system, mounted into the machine: overlayfs does not work on overlayfs. */
  readonly data: string;
  readonly console: string;
}

export function machinePaths(cluster: ClusterPaths, name: string): MachinePaths {
  const root = join(cluster.machines, name);
  return {
    root,
    record: join(root, 'machine.json'),
    seed: join(root, 'seed'),
    upper: join(root, 'upper'),
    work: join(root, 'work'),
    mountPoint: join(root, 'root'),
    data: join(root, 'data'),
    console: join(root, 'console.log'),
  };
}
