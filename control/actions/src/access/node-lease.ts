import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';
import { type JsonObject, textsOf } from './kubernetes-objects.ts';

/** Where kubelets renew their leases: one for each Node, with its name. */
export const NODE_LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

/** By which a kubelet tells that it runs. It renews it after a quarter of the time for which it is good. */
export interface NodeLease {
  readonly node: string;
  /** When kubelet last renewed it, by the clock of its machine. */
  readonly renewedMs: number;
  /** The same by the API server's clock, exact to a second. */
  readonly writtenMs: number;
  readonly durationMs: number;
}

/**
 * Undefined where it does not tell when it was renewed. The API server notes by its own clock when it last took something from each
 * writer (`managedFields`; for every object since Kubernetes 1.18): `renewTime` alone would be that of a machine whose clock may be wrong.
 */
export function readNodeLease(object: JsonObject): NodeLease | undefined {
  const [metadata, spec] = [asRecord(object['metadata']), asRecord(object['spec'])];
  const written = asArray(metadata['managedFields'])
    .map(textsOf)
    .flatMap(({ manager, time = '' }) => (manager === 'kubelet' ? [Date.parse(time)] : []));
  const writtenMs = Math.max(...written);
  const renewedMs = Date.parse(asString(spec['renewTime']) ?? '');
  const { leaseDurationSeconds } = spec;
  if (!Number.isFinite(writtenMs) || Number.isNaN(renewedMs) || typeof leaseDurationSeconds !== 'number')
    return undefined;
  return { node: asString(metadata['name']) ?? '', renewedMs, writtenMs, durationMs: leaseDurationSeconds * 1000 };
}
