import { asRecord, asString } from '@kopsctl/kube/json.ts';
import type { JsonObject } from '../access/kubernetes-objects.ts';
import { type Finding, isKnown, isReadyNow, type NodeEvidence, type NodeLeases } from './evidence.ts';

/** Renewals that are late, and clocks that differ a little. */
const TOLERANCE_MS = 20_000;

/** What the lease of a Node and those in kube-system tell; undefined if that is nothing. */
export function readLeases(lease: unknown, others: readonly JsonObject[]): NodeLeases | undefined {
  const { leaseDurationSeconds } = asRecord(asRecord(lease)['spec']);
  const renewedMs = renewalOf(asRecord(lease));
  const times = others.map(renewalOf).filter((ms) => !Number.isNaN(ms));
  if (Number.isNaN(renewedMs) || times.length === 0 || typeof leaseDurationSeconds !== 'number') return undefined;
  return { renewedMs, durationMs: leaseDurationSeconds * 1000, newestMs: Math.max(...times) };
}

const renewalOf = (lease: JsonObject): number => Date.parse(asString(asRecord(lease['spec'])['renewTime']) ?? '');

/**
 * How long the kubelet of a Node that says Ready has been silent, in ms; undefined if it reports. kube-controller-manager calls such
 * a Node NotReady after some 50 s: if it does not, it does not run, or cannot write that. Pure.
 */
export function silentForMs(evidence: NodeEvidence): number | undefined {
  const { objects, atMs, clockAheadMs = 0 } = evidence;
  if (!isReadyNow(evidence) || !isKnown(objects) || objects.leases === undefined) return undefined;
  const { renewedMs, durationMs, newestMs } = objects.leases;
  // Renewals have the time of the machine, whose clock may be behind. The clock of a control plane, or of this computer, may be ahead.
  const ageMs = Math.min(newestMs, atMs) - (renewedMs - Math.min(0, clockAheadMs));
  return ageMs > durationMs + TOLERANCE_MS ? ageMs : undefined;
}

/** What a silent kubelet is called, before it is known why it is silent. */
export const silentKubelet = (silentMs: number): Pick<Finding, 'what' | 'next'> => ({
  what: `the kubelet of the machine has been silent for ${Math.round(silentMs / 1000)} s, although its Node says Ready`,
  next: 'check that the machine runs and can be reached, and `systemctl status kubelet` on it; a Node that goes on to say Ready means that kube-controller-manager does not work (`kopsctl validate cluster`)',
});
