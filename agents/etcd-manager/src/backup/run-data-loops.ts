import { keepRunning } from '@kopsctl/agent/keep-running.ts';
import { type Pace, tryAgain } from '@kopsctl/http/try-again.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { askIfThere } from '../etcd/ask-etcd.ts';
import { clientFiles } from '../etcd/certificates.ts';
import type { Bell } from '../bell/bell.ts';
import type { Clock } from '../clock.ts';
import type { Etcds } from '../etcd/etcds.ts';
import type { Leadership } from '../lease/leadership.ts';
import { readMember } from '../read-member.ts';
import type { ApiServer } from '@kopsctl/agent/api-server.ts';
import { Preparation } from '../restore/preparation.ts';
import type { RestoreGate } from '../restore/restore-gate.ts';
import { thisRestoreMachine } from '../restore/restore-machine.ts';
import { reconcileRestores } from '../restore/reconcile-restores.ts';
import { reconcileCommands, type CommandsEnv } from '../store/reconcile-commands.ts';
import type { UnitRunner } from '../units/unit-runner.ts';
import { runBackups, type BackupsEnv } from './reconcile-backups.ts';
import { reconcileVerifications } from './reconcile-verifications.ts';
import { takeBackup, type BackupEnv, type BackupRequest } from './take-backup.ts';
import { verifyBackup, type VerifiedBackup } from './verify-backup.ts';

/** etcd names no members while it elects a leader: a second or two, longer on a busy machine. */
const ELECTION: Pace = { retries: 5, minTimeout: 500, factor: 2, maxTimeout: 5_000 };

class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  override readonly message = 'the local etcd does not answer, so it cannot be backed up';
}

export interface DataEnv extends BackupEnv {
  readonly units: UnitRunner;
  readonly etcds: Etcds;
  readonly clock: Clock;
  readonly apiServer: ApiServer;
  readonly mainCluster?: EtcdClusterConfig;
  readonly gate: RestoreGate;
  readonly bell: Bell;
  /** Whether this machine leads, and since when. */
  readonly leadership: Pick<Leadership, 'isHeld' | 'term' | 'ringOnChange'>;
  /** Defragments the database of every member. Resolves with a sentence that says what was done. */
  defrag(signal: AbortSignal): Promise<string>;
  /** Called for every backup and every failed attempt. */
  readonly onBackup?: BackupsEnv['onBackup'];
  /** Called with each failure of a loop, and with undefined once it works again. */
  readonly onHealth?: (part: string, failure: string | undefined) => void;
  /** Called for every verification of a backup. */
  readonly onVerified?: ((result: VerifiedBackup) => void) | undefined;
}

/**
 * Runs the loops that look after the data of one etcd cluster, until `signal` aborts: backups, their verification, restores
 * and commands.
 */
export async function runDataLoops(config: EtcdClusterConfig, env: DataEnv, signal: AbortSignal): Promise<void> {
  const { store, bell } = env;
  const preparation = new Preparation();
  const log = { backup: env.log.about('backup'), restore: env.log.about('restore'), command: env.log.about('command') };
  const { clock } = env;
  const machine = thisRestoreMachine(config, { ...env, log: log.restore });
  const member = () => memberOn(config);
  const leads = async () => (env.leadership.isHeld ? member() : undefined);
  const verify = (backup: string, by: string, asked: AbortSignal) => verifyOn(config, env, backup, by, asked);
  const actions = actionsOf(config, env);
  const health = (part: string) => (failure: string | undefined) => env.onHealth?.(part, failure);
  await Promise.all([
    runBackups(
      config,
      {
        ...env,
        takeBackup,
        log: log.backup,
        request: (asked) => leadingRequest(config, env, asked),
        onHealth: health('backup'),
      },
      signal,
    ),
    keepRunning(
      (inner) => reconcileVerifications(config, { ...env, log: log.backup, leads, verify }, inner),
      signal,
      log.backup,
      health('verification'),
    ),
    keepRunning(
      (inner) => {
        const isLeader = () => env.leadership.isHeld;
        return reconcileRestores(
          config,
          { ...env, takeBackup, log: log.restore, machine, isLeader, preparation },
          inner,
        );
      },
      signal,
      log.restore,
      health('restore'),
    ),
    keepRunning(
      (inner) => {
        const term = () => env.leadership.term;
        return reconcileCommands(config, { store, bell, clock, log: log.command, term, member, actions }, inner);
      },
      signal,
      log.command,
      health('command'),
    ),
  ]);
  await preparation.end();
}

async function memberOn({ mountPoint }: EtcdClusterConfig): Promise<string | undefined> {
  return (await readMember(mountPoint))?.member;
}

/** The request for a backup; undefined if this machine does not lead. @throws NoAnswer if its etcd does not answer */
async function leadingRequest(
  config: EtcdClusterConfig,
  env: DataEnv,
  signal: AbortSignal,
): Promise<Omit<BackupRequest, 'reason'> | undefined> {
  const once = async () => {
    if (!env.leadership.isHeld) return undefined;
    const member = await memberOn(config);
    const members = await askIfThere(env.address, config, (etcd) => etcd.members(signal), signal);
    if (member === undefined || members === undefined) throw new NoAnswer();
    return { member, memberCount: members.length };
  };
  return tryAgain(once, { pace: ELECTION, isPassing: (error) => error instanceof NoAnswer }, signal);
}

async function verifyOn(
  config: EtcdClusterConfig,
  env: DataEnv,
  backup: string | undefined,
  by: string,
  signal: AbortSignal,
): Promise<VerifiedBackup> {
  const { cluster, store } = env;
  const result = await verifyBackup(
    backup,
    config,
    { cluster, store, by, files: clientFiles(config.mountPoint) },
    signal,
  );
  env.onVerified?.(result);
  return result;
}

/** What people can ask for by a command. */
function actionsOf(config: EtcdClusterConfig, env: DataEnv): CommandsEnv['actions'] {
  return {
    async backup(signal) {
      const request = await leadingRequest(config, env, signal);
      if (request === undefined) return undefined;
      const saved = await takeBackup(config, { ...request, reason: 'requested' }, env, signal);
      env.onBackup?.({ saved });
      return `saved ${saved.name}`;
    },
    async verify(backup, signal) {
      const result = await verifyOn(config, env, backup, (await memberOn(config)) ?? '', signal);
      if (!result.ok) throw new Error(`${result.name} cannot be restored: ${result.failure ?? ''}`);
      return `verified ${result.name}: ${result.keys ?? 0} keys at revision ${result.revision ?? 0}`;
    },
    defrag: (signal) => env.defrag(signal),
  };
}
