import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { newestCommand, pendingCommands, recordOutcome, type EtcdCommand } from '@kopsctl/state-store/etcd/command.ts';
import { readRestore, type StoredRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { Bell } from '../bell/bell.ts';
import type { Clock } from '../clock.ts';
import type { Term } from '../lease/leadership.ts';
import { acceptRestore, answerOf } from '../restore/accept-restore.ts';
import { isStuck } from '../restore/stuck-restore.ts';
import { UnchangedTime } from '../unchanged-time.ts';

/** A store cannot notify, and the person who wrote a command waits, so one small object is read this often. */
const POLL_MS = 1_000;
/** kops's own tools do not update that object, so all commands are listed this often. */
const LIST_MS = 5_000;

type CommandsConfig = Pick<EtcdClusterConfig, 'backupPath' | 'etcdVersion'>;

export interface CommandsEnv {
  readonly store: StateStore;
  readonly log: Log;
  readonly clock: Clock;
  readonly bell: Bell;
  /** The term of this machine's lease; undefined while another machine leads. */
  term(): Term | undefined;
  /** The name of this machine's member, for the record. */
  readonly member: () => Promise<string | undefined>;
  /**
   * Each resolves with a sentence that says what was done; undefined leaves the command to the machine that leads by now. A
   * throw is recorded as a failure.
   */
  readonly actions: {
    backup(signal: AbortSignal): Promise<string | undefined>;
    verify(backup: string | undefined, signal: AbortSignal): Promise<string>;
    defrag(signal: AbortSignal): Promise<string>;
  };
}

/**
 * While this machine leads, carries out the commands that people write to `control/`, oldest first, until `signal` aborts.
 * Every command gets an outcome, even one that is refused or cannot be parsed, and is never looked at again.
 */
export async function reconcileCommands(config: CommandsConfig, env: CommandsEnv, signal: AbortSignal): Promise<void> {
  using wake = new Wake();
  env.bell.ringOnNews(wake);
  const memory = commandMemory();
  while (!signal.aborted) {
    const waitMs = await lookAtCommands(config, memory, env, signal);
    if (waitMs !== undefined) await wake.wait(waitMs, signal);
  }
}

/** What the loop remembers between two looks. */
interface CommandMemory {
  newest: string | undefined;
  listedMs: number;
  /** The name of the command that is under way. */
  underWay: string | undefined;
  /** How long the restore that is under way has stood where it stands. */
  readonly restoreTime: UnchangedTime;
}

export function commandMemory(): CommandMemory {
  return {
    newest: undefined,
    listedMs: Number.NEGATIVE_INFINITY,
    underWay: undefined,
    restoreTime: new UnchangedTime(),
  };
}

/** One look at the commands, and the oldest of them. Resolves with how long to wait; undefined: not at all. */
export async function lookAtCommands(
  config: CommandsConfig,
  memory: CommandMemory,
  env: CommandsEnv,
  signal: AbortSignal,
): Promise<number | undefined> {
  const by = await env.member();
  const term = env.term();
  if (by === undefined || term === undefined) return POLL_MS;
  const now = await newestCommand(env.store, config.backupPath, signal);
  const isDue = memory.underWay !== undefined || now !== memory.newest || env.clock.nowMs() - memory.listedMs > LIST_MS;
  if (!isDue) return POLL_MS;
  [memory.newest, memory.listedMs] = [now, env.clock.nowMs()];
  const pending = await pendingCommands(env.store, config.backupPath, signal);
  const stuck = await stuckRestore(pending, config, memory, env, signal);
  const command = nextOf(pending, stuck);
  const outcome = command && (await carryOut(command, { term, stuck }, config, env, signal));
  if (command !== undefined && outcome !== undefined) {
    const { name, wish } = command;
    env.log.info('command ended', { command: name, action: wish.action, ...outcome });
    const at = new Date(env.clock.wallMs()).toISOString();
    await recordOutcome(env.store, config.backupPath, name, { ...outcome, at, by }, signal);
    memory.underWay = undefined;
    // Other commands may wait behind it.
    memory.listedMs = Number.NEGATIVE_INFINITY;
    return undefined;
  }
  // A restore was accepted, and every machine takes part in it.
  if (command !== undefined && command.name !== memory.underWay) env.bell.tell();
  memory.underWay = command?.name;
  return POLL_MS;
}

/** The record of a restore that is stuck. It is looked for only while somebody waits for a restore. */
async function stuckRestore(
  pending: readonly EtcdCommand[],
  { backupPath }: CommandsConfig,
  memory: CommandMemory,
  { store, clock }: CommandsEnv,
  signal: AbortSignal,
): Promise<StoredRecord | undefined> {
  if (!pending.some(({ wish }) => wish.action === 'restore-backup')) return undefined;
  const stored = await readRestore(store, backupPath, signal);
  return stored !== undefined && isStuck(stored, memory.restoreTime, clock.nowMs()) ? stored : undefined;
}

/** The oldest command. The next restore passes one that is stuck, because it is the only way on. */
function nextOf(pending: readonly EtcdCommand[], stuck: StoredRecord | undefined): EtcdCommand | undefined {
  const [oldest, ...later] = pending;
  if (stuck === undefined || oldest?.name !== stuck.record.id) return oldest;
  return later.find(({ wish }) => wish.action === 'restore-backup') ?? oldest;
}

interface Outcome {
  readonly result: 'done' | 'failed' | 'refused';
  readonly message: string;
}

/** Resolves with the outcome; undefined while the command is under way. */
async function carryOut(
  { name, wish }: EtcdCommand,
  { term, stuck }: { readonly term: Term; readonly stuck: StoredRecord | undefined },
  config: CommandsConfig,
  env: CommandsEnv,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const { epoch } = term;
  const attempt = (action: (ended: AbortSignal) => Promise<string | undefined>) => attemptIn(term, action, signal);
  switch (wish.action) {
    case 'unknown':
      return { result: 'refused', message: wish.why };
    case 'restore-backup': {
      const answer = await answerOf(name, config, env.store, signal);
      if (answer?.result === 'under way') return undefined;
      if (answer !== undefined) return { result: answer.result, message: answer.message };
      const refusal = await acceptRestore({ name, wish }, { epoch, stuck }, config, env.store, signal);
      return refusal === undefined ? undefined : { result: 'refused', message: refusal };
    }
    case 'backup':
      return attempt((ended) => env.actions.backup(ended));
    case 'verify':
      return attempt((ended) => env.actions.verify(wish.backup, ended));
    case 'defrag':
      return attempt((ended) => env.actions.defrag(ended));
  }
}

/** Ends with the term: the machine that leads next finds the command without an outcome, and carries it out itself. */
async function attemptIn(
  term: Term,
  action: (ended: AbortSignal) => Promise<string | undefined>,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  try {
    const message = await action(AbortSignal.any([signal, term.signal]));
    return message === undefined ? undefined : { result: 'done', message };
  } catch (error) {
    signal.throwIfAborted();
    if (term.signal.aborted) return undefined;
    return { result: 'failed', message: messageOf(error) };
  }
}
