import type { Bell } from '../bell/bell.ts';
import type { BackupEnv, TakeBackup } from '../backup/take-backup.ts';
import type { Clock } from '../clock.ts';
import type { Etcds } from '../etcd/etcds.ts';
import type { ApiServer } from '@kopsctl/agent/api-server.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { Preparation } from './preparation.ts';
import type { RestoreGate } from './restore-gate.ts';
import type { RestoreMachine } from './restore-machine.ts';

/** The environment of the loop that carries out restores. */
export interface RestoreEnv extends BackupEnv {
  readonly etcds: Etcds;
  readonly clock: Clock;
  readonly takeBackup: TakeBackup;
  readonly machine: RestoreMachine;
  readonly apiServer: ApiServer;
  /** The etcd cluster in which API servers keep their leases, if it is another one. */
  readonly mainCluster?: EtcdClusterConfig;
  /** Whether this machine leads. */
  isLeader(): boolean;
  readonly bell: Bell;
  /** Outlives a failure of the loop, so that a backup is not fetched twice. */
  readonly preparation: Preparation;
  /** Tells other loops what they may do to the local etcd. */
  readonly gate: RestoreGate;
}
