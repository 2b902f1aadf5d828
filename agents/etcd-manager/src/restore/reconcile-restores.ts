import { Wake } from '@kopsctl/agent/wake.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { hasEnded, readRestore, type RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import { ConflictError } from '@kopsctl/state-store/store.ts';
import { decisionLog } from '../decision-log.ts';
import { readMember } from '../read-member.ts';
import { actRestore, prepare } from './act-restore.ts';
import { keepStoppedData } from './keep-stopped-data.ts';
import { observeRestore } from './observe-restore.ts';
import { gateOf, planRestore } from './plan-restore.ts';
import type { RestoreEnv } from './restore-env.ts';
import type { ObservedRestore } from './restore-step.ts';

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
  const { preparation } = env;
  const logDecision = decisionLog(env.log, 'silent');
  let seen = { stage: '', sinceMs: 0 };
  // An API server that was held when this process last stopped is still held: no etcd may start before the store is read.
  if ((await env.apiServer.observe(config.name)).hold !== 'none') env.gate.set('stopped', 'held');
  while (!signal.aborted) {
    const volume = await readMember(config.mountPoint);
    const stored = volume && (await readRestore(env.store, config.backupPath, signal));
    if (volume === undefined || stored === undefined) {
      if (volume !== undefined) env.gate.set('free', 'none');
      await wake.wait(IDLE_POLL_MS, signal);
      continue;
    }
    const { token, phase } = stored.record;
    const stage = stageOf(stored.record);
    if (seen.stage !== stage) seen = { stage, sinceMs: performance.now() };
    env.gate.set(gateOf(stored.record, volume.member), `${token} ${phase}`);
    const isKeeping = phase === 'keeping' || (phase === 'saving' && stored.record.takesOverEtcd2 === true);
    const work = isKeeping ? `keep ${token}` : `restore ${token}`;
    if (hasEnded(stored.record) || !preparation.isUnderWay(work)) await preparation.end();
    const own = {
      phaseForMs: performance.now() - seen.sinceMs,
      isPreparing: preparation.isUnderWay(work),
      isFetched: preparation.isPastHalf(work),
      kept: preparation.made(work),
      failure: preparation.failure(work),
    };
    const observed = await observeRestore(config, stored.record, volume, own, env, signal);
    const step = planRestore(observed);
    logDecision(step, { restore: stored.record.id });
    try {
      if (step.action === 'restore' || step.action === 'keep') {
        const run = step.action === 'restore' ? prepare : keepStoppedData;
        const begin = (ended: AbortSignal, onHalf: () => void) =>
          run(stored.record, config, volume, { ...env, onFetched: onHalf }, AbortSignal.any([signal, ended]));
        preparation.start(work, begin, { log: env.log, onNews: () => wake.ring() });
      } else {
        await actRestore(step, stored, config, volume, env, signal);
        if (step.action !== 'wait' && step.action !== 'nothing') env.bell.tell();
      }
    } catch (error) {
      // Another machine has changed the record; look again.
      if (!(error instanceof ConflictError)) throw error;
    }
    const isIdle = step.action === 'nothing' && hasEnded(stored.record);
    if (step.action === 'wait') await wake.wait(pollAfter(observed), signal);
    else if (isIdle) await wake.wait(IDLE_POLL_MS, signal);
  }
}

function pollAfter({ record, isPreparing }: ObservedRestore): number {
  if (record.phase === 'starting') return STARTING_POLL_MS;
  // The background work wakes this loop when it ends, and needs the processor. An API server that stops does not wake it.
  if (isPreparing && record.phase !== 'stopping') return IDLE_POLL_MS;
  return UNDER_WAY_POLL_MS;
}

/** Changes whenever the time that a machine waits starts again: with a new phase, or a beat of its keeper. */
function stageOf({ token, phase, keeperBeat = 0, notKept = {} }: RestoreRecord): string {
  return `${token} ${phase} ${keeperBeat} ${Object.keys(notKept).length}`;
}
