import { type Finding, isKnown, isReadyNow, type NodeEvidence } from './evidence.ts';

/** Kubelet renews its lease after a quarter of its duration: by then it has missed at least one renewal. */
const SILENT_AFTER_PART = 0.5;

/**
 * How long the kubelet of a Node that says Ready has been silent, in ms; undefined if it reports. kube-controller-manager calls such
 * a Node NotReady after some 50 s: if it does not, it does not run, or cannot write that. Pure.
 */
export function silentForMs(evidence: NodeEvidence): number | undefined {
  const { objects } = evidence;
  if (!isReadyNow(evidence) || !isKnown(objects) || objects.lease === undefined) return undefined;
  const { ageMs, durationMs } = objects.lease;
  return ageMs > durationMs * SILENT_AFTER_PART ? ageMs : undefined;
}

/** What a silent kubelet is called, before it is known why it is silent. */
export const silentKubelet = (silentMs: number): Pick<Finding, 'what' | 'next'> => ({
  what: `the kubelet of the machine has been silent for ${Math.round(silentMs / 1000)} s, although its Node says Ready`,
  next: 'check that the machine runs and can be reached, and `systemctl status kubelet` on it; if the Node still says Ready a minute later, kube-controller-manager does not work (`kopsctl validate cluster`)',
});
