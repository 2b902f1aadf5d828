import type { Bell } from '../bell/bell.ts';
import type { BackupEnv } from '../backup/take-backup.ts';
import type { ApiServer } from '@kopsctl/agent/api-server.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { Preparation } from './preparation.ts';
import type { RestoreGate } from './restore-gate.ts';

/** What the reconciler of restores needs of the rest of the manager, and tells it. */
export interface RestoreEnv extends BackupEnv {
  readonly apiServer: ApiServer;
  /** The etcd cluster that API servers keep their leases in, where it is another one. */
  readonly mainCluster?: EtcdClusterConfig;
  /** This machine's etcd of the cluster. */
  readonly etcd: {
    isRunning(): Promise<boolean>;
    /** SIGTERM and time; resolves once it has ended. */
    stop(signal: AbortSignal): Promise<void>;
  };
  /** This machine is the one that acts for all. */
  isLeader(): boolean | Promise<boolean>;
  readonly bell: Bell;
  /** Outlives a failure of the reconciler, so that what was fetched is not fetched again. */
  readonly preparation: Preparation;
  /** Tells the others what they may do to the etcd here. */
  readonly gate: RestoreGate;
}
