import { join } from 'node:path';

export const DEFAULT_DIR = '/var/lib/kopsctl/local';

/** Where a local cluster keeps its state. Everything below `root` is removed with the cluster. */
export interface ClusterPaths {
  readonly root: string;
  /** The API's unix socket, mode 0600. */
  readonly socket: string;
  /** Held locked for as long as a supervisor lives. */
  readonly lock: string;
  /** The supervisor's process as the host sees it: pid and start time. */
  readonly holder: string;
  readonly network: string;
  readonly log: string;
  readonly machines: string;
  readonly volumes: string;
}

export function clusterPaths(dir: string, cluster: string): ClusterPaths {
  if (!/^[a-z0-9][a-z0-9.-]*$/.test(cluster)) throw new Error(`not a cluster name: ${JSON.stringify(cluster)}`);
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

/** One machine's folder. */
export interface MachinePaths {
  readonly root: string;
  readonly record: string;
  /** Top read-only layer of its root: host name, user-data. Written once, so a machine cannot change what it was told. */
  readonly seed: string;
  readonly upper: string;
  readonly work: string;
  readonly mountPoint: string;
  /** Folders on the host's file system, bound into the machine: overlayfs cannot lie on overlayfs. */
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
