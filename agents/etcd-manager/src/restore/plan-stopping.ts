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

/** kubelet gives a pod 30 s to stop. An API server that still runs after this does not stop by itself. */
const STOP_MS = 5 * 60_000;

/** The phase `stopping`: all API servers stop, wherever they run, because whatever they wrote from now on would be lost unnoticed. */
export function planStopping(observed: ObservedRestore): RestoreStep {
  const { record, member, nowMs } = observed;
  if (!observed.apiServerEnded) {
    const isLate = observed.phaseForMs > STOP_MS;
    if (isLate && observed.isLeader) return fail(observed, `the API server of ${member} does not stop`);
    return wait('wait for the local API server to stop');
  }
  if (!record.acknowledged.includes(member)) {
    return acknowledge(observed, 'the API server has stopped', revisionSeen(observed));
  }
  if (!observed.isLeader) return wait('wait for the leader to go on');
  const missing = unacknowledged(record);
  if (missing.length > 0) {
    const machines = missing.join(', ');
    if (observed.phaseForMs < STOP_MS) return wait(`wait for the API server of ${machines} to stop`);
    return fail(observed, `it is not known whether the API server of ${machines} has stopped`);
  }
  const elsewhere = planApiServersElsewhere(observed);
  if (elsewhere !== undefined) return elsewhere;
  // If the backup and its revision are known, the current data is backed up later, once the API servers run again.
  const isKnown = record.backup !== undefined && record.revision !== undefined;
  return {
    action: 'write',
    record: enter(record, isKnown ? 'restoring' : 'saving', nowMs),
    summary: `every API server has stopped; ${isKnown ? 'replace the current data' : 'back up the current data'}`,
  };
}

/** Waits for API servers on machines without etcd: servers that have begun to stop, and servers that etcd knows to run. */
function planApiServersElsewhere(observed: ObservedRestore): RestoreStep | undefined {
  const { record, runningApiServers, phaseForMs } = observed;
  const isLate = phaseForMs > STOP_MS;
  if (runningApiServers === undefined) {
    if (!isLate) return wait('wait for etcd to report which API servers run');
    return fail(observed, 'etcd serves, but does not report which API servers run');
  }
  if (runningApiServers.join() !== (record.runningApiServers ?? []).join()) {
    const summary = `API servers that still run on other machines: ${runningApiServers.join(', ') || 'none'}`;
    return { action: 'write', record: { ...record, runningApiServers }, summary };
  }
  if (runningApiServers.length > 0) {
    const addresses = runningApiServers.join(', ');
    if (!isLate) return wait(`wait for the API server of ${addresses} to stop`);
    return fail(observed, `the API server of ${addresses} still runs; stop it and repeat the command`);
  }
  return waitForEnding(observed);
}

/** Waits for API servers that have begun to stop. A machine that never reports the end of its API server is gone. */
export function waitForEnding({ endingForMs }: ObservedRestore): RestoreStep | undefined {
  const ending = Object.entries(endingForMs).flatMap(([machine, ms]) => (ms > STOP_MS ? [] : [machine]));
  if (ending.length === 0) return undefined;
  return wait(`wait for the API server of ${ending.join(', ')} to stop`);
}
