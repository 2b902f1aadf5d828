import { endingApiServers } from '@kopsctl/state-store/etcd/restore-awaited.ts';
import {
  acknowledge,
  enter,
  fail,
  revisionSeen,
  unacknowledged,
  wait,
  type ObservedRestore,
  type RestoreStep,
} from './restore-step.ts';

/** kubelet gives a pod 30 s to end; an API server that is still there after this will not end by itself. */
const STOP_MS = 5 * 60_000;

/** The API servers end, wherever they run: what they write from now on would be lost, and nobody would know. */
export function planStopping(observed: ObservedRestore): RestoreStep {
  const { record, member, nowMs } = observed;
  if (!observed.apiServerEnded) {
    const isLate = observed.phaseForMs > STOP_MS;
    if (isLate && observed.isLeader) return fail(observed, `the API server of ${member} does not end`);
    return wait('wait for the API server here to end');
  }
  if (!record.acknowledged.includes(member)) {
    return acknowledge(observed, 'the API server has ended', revisionSeen(observed));
  }
  if (!observed.isLeader) return wait('wait for the leader to go on');
  const missing = unacknowledged(record);
  if (missing.length > 0) {
    const machines = missing.join(', ');
    if (observed.phaseForMs < STOP_MS) return wait(`wait for the API server of ${machines} to end`);
    return fail(observed, `it is not known whether the API server of ${machines} has ended`);
  }
  const elsewhere = planApiServersElsewhere(observed);
  if (elsewhere !== undefined) return elsewhere;
  // What to restore is known, so what is there is kept as it is and backed up when the API servers run again.
  const isKnown = record.backup !== undefined && record.revision !== undefined;
  return {
    action: 'write',
    record: enter(record, isKnown ? 'restoring' : 'saving', nowMs),
    summary: `every API server has ended; ${isKnown ? 'replace what is there' : 'back up what is there'}`,
  };
}

/** API servers on machines without etcd: those that have begun to end, and those that etcd knows. */
function planApiServersElsewhere(observed: ObservedRestore): RestoreStep | undefined {
  const { record, runningApiServers, phaseForMs } = observed;
  const isLate = phaseForMs > STOP_MS;
  if (runningApiServers === undefined) {
    if (!isLate) return wait('wait for etcd to tell which API servers run');
    return fail(observed, 'etcd serves, but does not tell which API servers run');
  }
  if (runningApiServers.join() !== (record.runningApiServers ?? []).join()) {
    const summary = `API servers that still run elsewhere: ${runningApiServers.join(', ') || 'none'}`;
    return { action: 'write', record: { ...record, runningApiServers }, summary };
  }
  if (runningApiServers.length > 0) {
    const addresses = runningApiServers.join(', ');
    if (!isLate) return wait(`wait for the API server of ${addresses} to end`);
    return fail(observed, `the API server of ${addresses} still runs; stop it there and ask again`);
  }
  return waitForEnding(observed);
}

/** Who has begun to end its API server and never says that it has is gone with its machine. */
export function waitForEnding({ record, phaseForMs }: ObservedRestore): RestoreStep | undefined {
  const ending = endingApiServers(record);
  if (ending.length === 0 || phaseForMs > STOP_MS) return undefined;
  return wait(`wait for the API server of ${ending.join(', ')} to end`);
}
