import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { newestCommand, pendingCommands, recordOutcome, type EtcdCommand } from '@kopsctl/state-store/etcd/command.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { Bell } from '../bell/bell.ts';
import { acceptRestore, answerOf } from '../restore/accept-restore.ts';

/** No store tells us that something was written, and the person who asked waits: one small object is read this often. */
const POLL_MS = 1_000;
/** kops's own tools do not say that they have written one. */
const LIST_MS = 5_000;

export interface CommandsEnv {
  readonly store: StateStore;
  readonly log: Log;
  readonly bell: Bell;
  /** This machine is the one that acts for all. */
  isLeader(): boolean | Promise<boolean>;
  /** Its name, for the record. */
  readonly member: () => Promise<string | undefined>;
  /** What can be asked for. Each resolves with what was done; a throw is recorded as a failure. */
  readonly actions: {
    backup(signal: AbortSignal): Promise<string>;
    verify(backup: string | undefined, signal: AbortSignal): Promise<string>;
    defrag(signal: AbortSignal): Promise<string>;
  };
}

/**
 * Carries out what people ask for in `control/`, oldest first, while this machine leads. Every command ends with an
 * outcome that says how, also one that is refused or cannot be understood, and is never looked at again.
 */
export async function reconcileCommands(
  config: EtcdClusterConfig,
  env: CommandsEnv,
  signal: AbortSignal,
): Promise<void> {
  const wake = new Wake();
  env.bell.ringOnNews(wake);
  let newest: string | undefined;
  let listedMs = Number.NEGATIVE_INFINITY;
  let isUnderWay = false;
  while (!signal.aborted) {
    const by = await env.member();
    if (by !== undefined && (await env.isLeader())) {
      const now = await newestCommand(env.store, config.backupPath, signal);
      const isDue = isUnderWay || now !== newest || performance.now() - listedMs > LIST_MS;
      if (!isDue) {
        await wake.wait(POLL_MS, signal);
        continue;
      }
      [newest, listedMs] = [now, performance.now()];
      const [command] = await pendingCommands(env.store, config.backupPath, signal);
      const outcome = command && (await carryOut(command, config, env, signal));
      if (command !== undefined && outcome !== undefined) {
        env.log.info(`command ${command.name} (${command.wish.action}): ${outcome.result}: ${outcome.message}`);
        const at = new Date().toISOString();
        await recordOutcome(env.store, config.backupPath, command.name, { ...outcome, at, by }, signal);
        isUnderWay = false;
        // Others may wait behind it.
        listedMs = Number.NEGATIVE_INFINITY;
        continue;
      }
      // Accepted: every machine has its part in a restore.
      if (command !== undefined && !isUnderWay) env.bell.tell();
      isUnderWay = command !== undefined;
    }
    await wake.wait(POLL_MS, signal);
  }
}

interface Outcome {
  readonly result: 'done' | 'failed' | 'refused';
  readonly message: string;
}

/** Undefined while it is under way. */
async function carryOut(
  { name, wish }: EtcdCommand,
  config: EtcdClusterConfig,
  env: CommandsEnv,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  switch (wish.action) {
    case 'unknown':
      return { result: 'refused', message: wish.why };
    case 'restore-backup': {
      const answer = await answerOf(name, config, env.store, signal);
      if (answer?.result === 'under way') return undefined;
      if (answer !== undefined) return { result: answer.result, message: answer.message };
      const refusal = await acceptRestore({ name, wish }, config, env.store, signal);
      return refusal === undefined ? undefined : { result: 'refused', message: refusal };
    }
    case 'backup':
      return attempt(() => env.actions.backup(signal), signal);
    case 'verify':
      return attempt(() => env.actions.verify(wish.backup, signal), signal);
    case 'defrag':
      return attempt(() => env.actions.defrag(signal), signal);
  }
}

async function attempt(action: () => Promise<string>, signal: AbortSignal): Promise<Outcome> {
  try {
    return { result: 'done', message: await action() };
  } catch (error) {
    signal.throwIfAborted();
    return { result: 'failed', message: messageOf(error) };
  }
}
