import { keepRunning } from '@kopsctl/agent/keep-running.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { Clock } from '../clock.ts';
import type { Leadership } from '../lease/leadership.ts';
import { isBackupMissing } from './missing-backup.ts';
import { backupIntervalMs, cronOf } from './plan-schedule.ts';
import { backupNotes, removeOldBackups } from './remove-old-backups.ts';
import type { BackupEnv, BackupRequest, TakeBackup } from './take-backup.ts';
import type { StoredBackup } from './store-backup.ts';
import { wallClockSchedule } from './wall-clock-schedule.ts';

/** The schedule wakes the loop; this only limits one wait. */
const IDLE_MS = 60 * 60_000;

/** What is known about the next backup. It outlives a failure of the loop, so that a backup that failed is tried again. */
export class DueBackup {
  isDue = false;
  /** The last moment of the schedule, by the monotonic clock. Undefined before the first that this process has seen. */
  momentMs: number | undefined;
  /** The term of leadership in which it was last looked whether a backup is missing. */
  epoch: number | undefined;
  readonly wake = new Wake();

  /** A moment of the schedule. */
  moment(nowMs: number): void {
    this.isDue = true;
    this.momentMs = nowMs;
    this.wake.ring();
  }
}

export interface BackupsEnv extends BackupEnv {
  readonly clock: Clock;
  readonly leadership: Pick<Leadership, 'term'>;
  /** Resolves with this machine's member and the number of members; undefined if another one leads. @throws if etcd does not answer */
  request(signal: AbortSignal): Promise<Omit<BackupRequest, 'reason'> | undefined>;
  readonly takeBackup: TakeBackup;
  /** Called for every backup, and for every failed attempt. */
  readonly onBackup?: ((outcome: { readonly saved: StoredBackup } | { readonly failed: unknown }) => void) | undefined;
  /** Called with each failure of the loop, and with undefined once it works again. */
  readonly onHealth: (failure: string | undefined) => void;
}

/** While this machine leads, takes backups on schedule and removes old ones, until `signal` aborts. */
export async function runBackups(
  config: EtcdClusterConfig,
  env: BackupsEnv & { readonly leadership: Pick<Leadership, 'ringOnChange'> },
  signal: AbortSignal,
): Promise<void> {
  const due = new DueBackup();
  env.leadership.ringOnChange(due.wake);
  const moments = wallClockSchedule(cronOf(backupIntervalMs(config.env)), () => due.moment(env.clock.nowMs()));
  // A run that only lasts has not taken the backup that failed.
  const onHealth = (failure: string | undefined): void => {
    if (failure !== undefined || !due.isDue) env.onHealth(failure);
  };
  try {
    await keepRunning((inner) => reconcileBackups(config, due, env, inner), signal, env.log, onHealth);
  } finally {
    moments.stop();
    due.wake[Symbol.dispose]();
  }
}

/** One run of it, until it fails. */
export async function reconcileBackups(
  config: EtcdClusterConfig,
  due: DueBackup,
  env: BackupsEnv,
  signal: AbortSignal,
): Promise<void> {
  const notes = backupNotes(config, env.store);
  while (!signal.aborted) {
    await lookAtTerm(config, due, env, signal);
    if (!due.isDue) {
      await due.wake.wait(IDLE_MS, signal);
      continue;
    }
    const { momentMs } = due;
    if (!(await backUp(config, env, signal))) continue;
    // The next moment may have passed meanwhile.
    due.isDue = due.momentMs !== momentMs;
    env.onHealth(undefined);
    const removed = await removeOldBackups(config, env.store, notes, signal);
    if (removed.length > 0) env.log.info('removed old backups', { count: removed.length, first: removed[0] });
  }
}

/** Only the leader takes backups. When its term begins, the one before it may have been lost just as a backup was due. */
async function lookAtTerm(
  { backupPath, env: variables }: EtcdClusterConfig,
  due: DueBackup,
  { leadership, store, clock, onHealth }: BackupsEnv,
  signal: AbortSignal,
): Promise<void> {
  const { term } = leadership;
  if (term === undefined) {
    due.isDue = false;
    onHealth(undefined);
    return;
  }
  if (term.epoch === due.epoch) return;
  const entries = await store.list(backupPath, signal);
  const forMs = due.momentMs === undefined ? backupIntervalMs(variables) : clock.nowMs() - due.momentMs;
  if (isBackupMissing(entries, backupPath, forMs)) due.isDue = true;
  due.epoch = term.epoch;
}

/** Resolves with whether this machine still leads and has taken the backup. */
async function backUp(config: EtcdClusterConfig, env: BackupsEnv, signal: AbortSignal): Promise<boolean> {
  try {
    const request = await env.request(signal);
    if (request === undefined) return false;
    const saved = await env.takeBackup(config, { ...request, reason: 'scheduled' }, env, signal);
    env.onBackup?.({ saved });
    const { databaseBytes, storedBytes, durationMs } = saved.facts;
    const backup = `${config.backupPath}/${saved.name}`;
    env.log.info('backup saved', { backup, databaseBytes, storedBytes, durationMs });
    return true;
  } catch (failed) {
    if (!signal.aborted) env.onBackup?.({ failed });
    throw failed;
  }
}
