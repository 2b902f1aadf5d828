import { asRecord, asString } from '@kopsctl/kube/json.ts';
import type { JsonObject } from './kubernetes-objects.ts';
import { writtenByKubeletMs } from './written-by-kubelet.ts';

/** Where kubelets renew their leases: one for each Node, with its name. */
export const NODE_LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

/** By which a kubelet tells that it runs. It renews it after a quarter of the time for which it is good. */
export interface NodeLease {
  readonly node: string;
  /** When kubelet last renewed it, by the clock of its machine. */
  readonly renewedMs: number;
  /** The same by the API server's clock, exact to a second; undefined where that is not known. */
  readonly writtenMs?: number;
  readonly durationMs: number;
}

/**
 * Undefined where it does not tell when it was renewed. `renewTime` alone would be that of a machine whose clock may be wrong. A time of the
 * API server's that is soon after the lease was made says nothing: before Kubernetes 1.25 it stays that.
 */
export function readNodeLease(object: JsonObject): NodeLease | undefined {
  const [metadata, spec] = [asRecord(object['metadata']), asRecord(object['spec'])];
  const renewedMs = Date.parse(asString(spec['renewTime']) ?? '');
  const { leaseDurationSeconds } = spec;
  if (Number.isNaN(renewedMs) || typeof leaseDurationSeconds !== 'number') return undefined;
  const durationMs = leaseDurationSeconds * 1000;
  const writtenMs = writtenByKubeletMs(metadata) ?? -Infinity;
  const madeMs = Date.parse(asString(metadata['creationTimestamp']) ?? '');
  const node = asString(metadata['name']) ?? '';
  return { node, renewedMs, durationMs, ...(writtenMs - madeMs > durationMs && { writtenMs }) };
}
