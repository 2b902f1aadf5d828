import type { KubeClient } from '@kopsctl/kube/client.ts';
import type { FleetGroup } from '@kopsctl/model/fleet.ts';
import type { Turn } from './roll.ts';
import type { Seen } from './seen.ts';

/**
 * While a cluster's only API server is away, kube-proxy on each machine tries to reach it ever less often, and for a while after
 * its return still leads Services to pods that have ended meanwhile. kube-proxy does not say whether it is up to date. The API
 * server says how many watch endpoints: as many as before, once all are back.
 */
const METRIC =
  /^apiserver_longrunning_requests\{(?=[^}]*resource="endpointslices")(?=[^}]*verb="WATCH")[^}]*\} (\d+)/gm;

/** client-go pauses for at most 30 s before it tries again, and by chance up to twice that (tools/cache/reflector.go). */
const LONGEST_PAUSE_MS = 60_000;

/** Whether the watches matter now: one machine has the API, and its turn has come. */
export function asksWatches(turns: readonly Turn[], groups: readonly FleetGroup[]): boolean {
  const servers = groups.flatMap(({ role, wanted }) => (role === 'ControlPlane' || role === 'APIServer' ? wanted : []));
  const isAlone = servers.reduce((sum, wanted) => sum + wanted, 0) === 1;
  return isAlone && turns.some(({ role, step }) => role === 'ControlPlane' && isAround(step));
}

const isAround = (step: Turn['step']): boolean => isBefore(step) || step === 'validate';
const isBefore = (step: Turn['step']): boolean => step === 'cordon' || step === 'deregister' || step === 'drain';

/** Undefined where the API server does not say: its metric had another name before Kubernetes 1.22. */
export async function readWatches(kube: Pick<KubeClient, 'text'>, signal: AbortSignal): Promise<number | undefined> {
  const found = [...(await kube.text('/metrics', signal)).matchAll(METRIC)];
  return found.length === 0 ? undefined : found.reduce((sum, [, count]) => sum + Number(count), 0);
}

/** The turn with what was seen: the most watches before its machine goes, and when the API answers again. Pure. */
export function noteWatches(turn: Turn, { watches, apiFailure, nowMs }: Seen): Turn {
  if (turn.role !== 'ControlPlane') return turn;
  const before = turn.watches?.before ?? 0;
  if (isBefore(turn.step)) {
    return watches === undefined || watches <= before ? turn : { ...turn, watches: { before: watches } };
  }
  const isFirstAnswer =
    turn.step === 'validate' && apiFailure === undefined && turn.watches?.answersSinceMs === undefined;
  return turn.watches !== undefined && isFirstAnswer ? { ...turn, watches: { before, answersSinceMs: nowMs } } : turn;
}

/** Why other machines are not up to date yet. Pure. */
export function watchesAway({ watches }: Turn, { watches: now, nowMs }: Seen): string | undefined {
  if (watches?.answersSinceMs === undefined || now === undefined || now >= watches.before) return undefined;
  if (nowMs - watches.answersSinceMs > LONGEST_PAUSE_MS) return undefined;
  return `${now} of ${watches.before} watches of endpoints are back: Services may still lead to pods that have ended`;
}
