import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';

/** A pod that has to leave a machine. */
export interface LeavingPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** It was evicted, and ends. */
  readonly isEnding: boolean;
  /** The taints of machines that it runs on nevertheless. */
  readonly tolerations: readonly unknown[];
}

/** A pod that should have ended this long ago is not waited for: its machine does not answer. */
const LOST_AFTER_MS = 60_000;

/**
 * Those of a machine's pods that have to leave it before it goes: not those of DaemonSets, which belong to the machine,
 * not static pods, which only kubelet can end, and not what has run to its end. Pure.
 */
export function podsToLeave(pods: readonly unknown[], nowMs: number): readonly LeavingPod[] {
  return pods.flatMap((pod): readonly LeavingPod[] => {
    const { metadata: meta, status, spec } = asRecord(pod);
    const metadata = asRecord(meta);
    const [namespace, name, uid] = [
      asString(metadata['namespace']),
      asString(metadata['name']),
      asString(metadata['uid']),
    ];
    if (namespace === undefined || name === undefined || uid === undefined) return [];
    const isStatic = asRecord(metadata['annotations'])['kubernetes.io/config.mirror'] !== undefined;
    const isOfMachine = asArray(metadata['ownerReferences'])
      .map(asRecord)
      .some((owner) => owner['kind'] === 'DaemonSet' && owner['controller'] === true);
    const phase = asRecord(status)['phase'];
    const endsAt = asString(metadata['deletionTimestamp']);
    const isLost = endsAt !== undefined && nowMs - Date.parse(endsAt) > LOST_AFTER_MS;
    if (isStatic || isOfMachine || isLost || phase === 'Succeeded' || phase === 'Failed') return [];
    const tolerations = asArray(asRecord(spec)['tolerations']);
    return [{ namespace, name, uid, isEnding: endsAt !== undefined, tolerations }];
  });
}
