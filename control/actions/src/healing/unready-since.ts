import { asArray, asRecord } from '@kopsctl/kube/json.ts';
import { type JsonObject, textsOf } from '../access/kubernetes-objects.ts';
import { writtenByKubeletMs } from '../access/written-by-kubelet.ts';

/**
 * Since when a Node is not Ready, by the clocks of control planes, in ms since 1970; undefined where it is Ready, or says
 * nothing. Pure.
 *
 * kube-controller-manager stamps `Unknown` with its own clock. `False` comes from kubelet, whose clock may be far behind on a
 * machine that was started just now: how far shows in the heartbeat of the same object, because the API server notes by its own clock
 * when kubelet last wrote it (`managedFields`; from Kubernetes 1.25 on). Nothing shows a clock that was behind when the Node became not Ready
 * and has been set since. Whatever it says, a Node is not older than its object.
 */
export function unreadySinceMs(node: JsonObject): number | undefined {
  const metadata = asRecord(node['metadata']);
  const conditions = asArray(asRecord(node['status'])['conditions']).map(textsOf);
  const ready = conditions.find(({ type }) => type === 'Ready');
  const stampedMs = Date.parse(ready?.['lastTransitionTime'] ?? '');
  if (ready === undefined || ready['status'] === 'True' || Number.isNaN(stampedMs)) return undefined;
  if (ready['status'] !== 'False') return stampedMs;
  const createdMs = Date.parse(textsOf(metadata)['creationTimestamp'] ?? '');
  const correctedMs = stampedMs + kubeletBehindMs(metadata, ready['lastHeartbeatTime'] ?? '');
  return Math.max(correctedMs, Number.isNaN(createdMs) ? 0 : createdMs);
}

/** By how much the clock of the kubelet was behind the API server's when it last wrote; 0 where it was ahead, or nothing tells. */
function kubeletBehindMs(metadata: JsonObject, heartbeat: string): number {
  const behindMs = (writtenByKubeletMs(metadata) ?? 0) - Date.parse(heartbeat);
  return Number.isNaN(behindMs) ? 0 : Math.max(0, behindMs);
}
