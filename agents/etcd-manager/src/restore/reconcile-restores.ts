import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import type { EtcdClusterConfig, MemberFile } from '@kopsctl/node-plan/agent-config.ts';
import { nextToKeep } from '@kopsctl/state-store/etcd/restore-awaited.ts';
import { hasEnded, readRestore, type RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import { ConflictError } from '@kopsctl/state-store/store.ts';
import { decisionLog } from '../decision-log.ts';
import { UnchangedTime } from '../unchanged-time.ts';
import { actRestore } from './act-restore.ts';
import { EndingTimes } from './ending-times.ts';
import { observeRestore } from './observe-restore.ts';
import { gateOf, isBystanderOf, planRestore } from './plan-restore.ts';
import type { Preparation } from './preparation.ts';
import type { RestoreEnv } from './restore-env.ts';
import type { RestoreMachine } from './restore-machine.ts';
import type { ObservedRestore, RestoreStep } from './restore-step.ts';

/** A machine that changes the record rings; this is for a ring that was lost. */
const IDLE_POLL_MS = 5_000;
const UNDER_WAY_POLL_MS = 500;
/** The restored etcd cannot ring, and everything waits for it. A look costs nothing until it listens. */
const STARTING_POLL_MS = 150;

/**
 * Does this machine's part of every restore, continuing from wherever it stands, until `signal` aborts. Meanwhile it
 * decides, through the gate, what other loops may do to the local etcd. `reconcileCluster` starts the restored etcd.
 */
export async function reconcileRestores(
  config: EtcdClusterConfig,
  env: RestoreEnv,
  signal: AbortSignal,
): Promise<void> {
  using wake = new Wake();
  env.bell.ringOnNews(wake);
  const memory = restoreMemory(env.log);
  await holdFromBefore(config, env);
  while (!signal.aborted) {
    const waitMs = await lookAtRestore(config, memory, { ...env, onNews: () => wake.ring() }, signal);
    if (waitMs !== undefined) await wake.wait(waitMs, signal);
  }
}

/** What the loop remembers between two looks. */
interface RestoreMemory {
  readonly logDecision: ReturnType<typeof decisionLog>;
  readonly stageTime: UnchangedTime;
  readonly endingTimes: EndingTimes;
}

export function restoreMemory(log: Log): RestoreMemory {
  return { logDecision: decisionLog(log, 'silent'), stageTime: new UnchangedTime(), endingTimes: new EndingTimes() };
}

/** An API server that was held when this process last stopped is still held: no etcd may start before the store is read. */
export async function holdFromBefore(
  config: EtcdClusterConfig,
  { apiServer, gate }: Pick<RestoreEnv, 'apiServer' | 'gate'>,
): Promise<void> {
  if ((await apiServer.observe(config.name)).hold !== 'none') gate.set('stopped', 'held');
}

/** One look at the restore, and this machine's part of it. Resolves with how long to wait; undefined: not at all. */
export async function lookAtRestore(
  config: EtcdClusterConfig,
  memory: RestoreMemory,
  env: RestoreEnv & { readonly onNews: () => void },
  signal: AbortSignal,
): Promise<number | undefined> {
  const { preparation, machine, clock } = env;
  const volume = await machine.member();
  const stored = volume && (await readRestore(env.store, config.backupPath, signal));
  if (volume === undefined) return IDLE_POLL_MS;
  if (stored === undefined) {
    env.gate.set('free', 'none');
    await endWithoutRecord(config, env);
    return IDLE_POLL_MS;
  }
  const { token, phase } = stored.record;
  const phaseForMs = memory.stageTime.measure(stageOf(stored.record), clock.nowMs());
  const isBystander = isBystanderOf(stored.record, volume.member);
  env.gate.set(gateOf(stored.record, volume.member), `${token} ${phase}`, isBystander);
  const work = workOf(stored.record);
  if (hasEnded(stored.record) || !preparation.isUnderWay(work)) await preparation.end();
  const own = {
    phaseForMs,
    endingForMs: memory.endingTimes.measure(stored.record, clock.nowMs()),
    isPreparing: preparation.isUnderWay(work),
    isFetched: preparation.isPastHalf(work),
    kept: preparation.made(work),
    failure: preparation.failure(work),
  };
  const observed = await observeRestore(config, stored.record, volume, own, env, signal);
  const step = planRestore(observed);
  memory.logDecision(step, { restore: stored.record.id });
  try {
    if (step.action === 'restore' || step.action === 'keep') {
      preparation.start(work, backgroundOf(step, stored.record, volume, machine, signal), env);
    } else {
      await actRestore(step, stored, config, volume, env, signal);
      if (step.action !== 'wait' && step.action !== 'nothing') env.bell.tell();
    }
  } catch (error) {
    // Another machine has changed the record; look again.
    if (!(error instanceof ConflictError)) throw error;
  }
  if (step.action === 'wait') return pollAfter(observed);
  return step.action === 'nothing' && hasEnded(stored.record) ? IDLE_POLL_MS : undefined;
}

/** Somebody may have removed the record during a restore. Nothing else would let the API server start again. */
async function endWithoutRecord(
  config: EtcdClusterConfig,
  { preparation, apiServer }: Pick<RestoreEnv, 'preparation' | 'apiServer'>,
): Promise<void> {
  await preparation.end();
  if ((await apiServer.observe(config.name)).hold !== 'none') await apiServer.release(config.name);
}

/** Names the long work of a phase, which begins again for other data. */
function workOf(record: RestoreRecord): string {
  const { token, phase, takesOverEtcd2 } = record;
  if (phase === 'saving' && takesOverEtcd2 === true) return `keep ${token}`;
  if (phase !== 'keeping') return `restore ${token}`;
  return nextToKeep(record)?.isCarriedOver === true ? `keep ${token}, carried over` : `keep ${token}`;
}

function backgroundOf(
  step: Extract<RestoreStep, { readonly action: 'restore' | 'keep' }>,
  record: RestoreRecord,
  { member }: MemberFile,
  machine: RestoreMachine,
  signal: AbortSignal,
): Parameters<Preparation['start']>[1] {
  return async (ended, onHalf) => {
    const either = AbortSignal.any([signal, ended]);
    if (step.action === 'keep') return machine.keep(record, step.data, member, either);
    await machine.restore(record, member, onHalf, either);
    return undefined;
  };
}

function pollAfter({ record, isPreparing }: ObservedRestore): number {
  if (record.phase === 'starting') return STARTING_POLL_MS;
  // The background work wakes this loop when it ends, and needs the processor. An API server that stops does not wake it.
  if (isPreparing && record.phase !== 'stopping') return IDLE_POLL_MS;
  return UNDER_WAY_POLL_MS;
}

/** Changes whenever the time that a machine waits starts again: with a new phase, or a beat of its keeper. */
function stageOf({ token, phase, keeperBeat = 0, carriedBackup = '', notKept = {} }: RestoreRecord): string {
  return `${token} ${phase} ${keeperBeat} ${carriedBackup} ${Object.keys(notKept).length}`;
}
