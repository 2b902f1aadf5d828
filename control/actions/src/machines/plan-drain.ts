import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';

/** A pod that is to leave a Node. */
export interface DrainedPod {
  readonly namespace: string;
  readonly name: string;
  /** A pod of the same name that comes later is another one. */
  readonly uid: string;
}

/**
 * The pods of a Node that must be evicted before its machine goes: all but those that kubelet runs from files, those that
 * have ended, and those of DaemonSets, which would come back at once. Pure.
 */
export function podsToEvict(pods: readonly unknown[]): readonly DrainedPod[] {
  return pods.flatMap((pod): readonly DrainedPod[] => {
    const metadata = asRecord(asRecord(pod)['metadata']);
    const phase = asRecord(asRecord(pod)['status'])['phase'];
    const [namespace, name] = [asString(metadata['namespace']), asString(metadata['name'])];
    if (namespace === undefined || name === undefined) return [];
    if (asRecord(metadata['annotations'])['kubernetes.io/config.mirror'] !== undefined) return [];
    if (phase === 'Succeeded' || phase === 'Failed') return [];
    const owners = asArray(metadata['ownerReferences']).map(asRecord);
    if (owners.some(({ controller, kind }) => controller === true && kind === 'DaemonSet')) return [];
    return [{ namespace, name, uid: asString(metadata['uid']) ?? '' }];
  });
}
