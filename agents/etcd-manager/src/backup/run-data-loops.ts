import { keepRunning } from '@kopsctl/agent/keep-running.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { askIfThere } from '../etcd/ask-etcd.ts';
import { clientFiles } from '../etcd/certificates.ts';
import type { Bell } from '../bell/bell.ts';
import { readMember } from '../observe-cluster.ts';
import type { ApiServer } from '@kopsctl/agent/api-server.ts';
import { Preparation } from '../restore/preparation.ts';
import type { RestoreGate } from '../restore/restore-gate.ts';
import { reconcileRestores } from '../restore/reconcile-restores.ts';
import { reconcileCommands } from '../store/reconcile-commands.ts';
import type { UnitRunner } from '../units/unit-runner.ts';
import { reconcileBackups, type BackupsEnv } from './reconcile-backups.ts';
import { reconcileVerifications } from './reconcile-verifications.ts';
import { takeBackup, type BackupEnv, type BackupRequest } from './take-backup.ts';
import { verifyBackup, type VerifiedBackup } from './verify-backup.ts';

export interface DataEnv extends BackupEnv {
  readonly units: UnitRunner;
  readonly apiServer: ApiServer;
  readonly mainCluster?: EtcdClusterConfig;
  readonly gate: RestoreGate;
  readonly bell: Bell;
  /** This machine is the one that acts for all. */
  isLeader(signal: AbortSignal): boolean | Promise<boolean>;
  /** Makes the database of every member smaller. Resolves with what was done. */
  defrag(signal: AbortSignal): Promise<string>;
  /** Told of every backup and every try that failed, and of every proof. */
  readonly onBackup?: BackupsEnv['onBackup'];
  readonly onVerified?: ((result: VerifiedBackup) => void) | undefined;
}

/** Everything that looks after the data of one etcd cluster: backups, their proof, restores, and what people ask for. */
export async function runDataLoops(config: EtcdClusterConfig, env: DataEnv, signal: AbortSignal): Promise<void> {
  const { cluster, store, bell } = env;
  const preparation = new Preparation();
  const due = { isDue: false };
  const log = { backup: env.log.about('backup'), restore: env.log.about('restore'), command: env.log.about('command') };
  const member = async () => (await readMember(config.mountPoint))?.member;
  const unit = `etcd-${config.name}`;

  const leading = async (inner: AbortSignal): Promise<Omit<BackupRequest, 'reason'> | undefined> => {
    const name = await member();
    if (name === undefined || !(await env.isLeader(inner))) return undefined;
    // An etcd that does not answer has nothing to back up; the reconciler of the cluster reports it.
    const members = await askIfThere(env.address, config, (etcd) => etcd.members(inner), inner);
    return members && { member: name, memberCount: members.length };
  };
  const verify = async (backup: string | undefined, by: string, inner: AbortSignal): Promise<VerifiedBackup> => {
    const result = await verifyBackup(
      backup,
      config,
      { cluster, store, by, files: clientFiles(config.mountPoint) },
      inner,
    );
    env.onVerified?.(result);
    return result;
  };
  const loops: readonly [(inner: AbortSignal) => Promise<void>, BackupEnv['log']][] = [
    [(inner) => reconcileBackups(config, { ...env, due, log: log.backup, leads: leading }, inner), log.backup],
    [
      (inner) => {
        const leads = async (asked: AbortSignal) => ((await env.isLeader(asked)) ? member() : undefined);
        return reconcileVerifications(config, { ...env, log: log.backup, leads, verify }, inner);
      },
      log.backup,
    ],
    [
      (inner) => {
        const etcd = {
          isRunning: async () => (await env.units.observe(unit)).isRunning,
          stop: () => env.units.stop(unit),
        };
        const isLeader = () => env.isLeader(inner);
        return reconcileRestores(config, { ...env, log: log.restore, etcd, isLeader, preparation }, inner);
      },
      log.restore,
    ],
    [
      (inner) => {
        const actions = {
          backup: async (asked: AbortSignal) => {
            const request = await leading(asked);
            if (request === undefined) throw new Error('etcd does not answer here, so there is nothing to back up');
            const saved = await takeBackup(config, { ...request, reason: 'asked for' }, env, asked);
            env.onBackup?.({ saved });
            return `saved ${saved.name}`;
          },
          verify: async (backup: string | undefined, asked: AbortSignal) => {
            const result = await verify(backup, (await member()) ?? '', asked);
            if (!result.ok) throw new Error(`${result.name} cannot be restored: ${result.failure ?? ''}`);
            return `proved ${result.name}: ${result.keys ?? 0} keys at revision ${result.revision ?? 0}`;
          },
          defrag: (asked: AbortSignal) => env.defrag(asked),
        };
        const isLeader = () => env.isLeader(inner);
        return reconcileCommands(config, { store, bell, log: log.command, isLeader, member, actions }, inner);
      },
      log.command,
    ],
  ];
  await Promise.all(loops.map(([loop, about]) => keepRunning(loop, signal, about)));
  await preparation.end();
}
