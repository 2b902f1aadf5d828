import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';

/** Taints of this prefix tell of a condition of a machine, such as that it is cordoned or not ready: they pass. */
const CONDITIONS = 'node.kubernetes.io/';

/**
 * Whether another machine may take a pod that leaves this one: one that has no taint, or only taints that the pod
 * tolerates. Whether it has room is not asked. Pure.
 */
export function isTakenElsewhere(tolerations: readonly unknown[], nodes: readonly unknown[], node: string): boolean {
  return nodes.map(asRecord).some(({ metadata, spec }) => {
    if (asRecord(metadata)['name'] === node) return false;
    const taints = asArray(asRecord(spec)['taints']).map(asRecord);
    return taints.every((taint) => !isLasting(taint) || tolerations.map(asRecord).some((one) => tolerates(one, taint)));
  });
}

type Fields = Readonly<Record<string, unknown>>;

const isLasting = ({ key, effect }: Fields): boolean =>
  effect !== 'PreferNoSchedule' && !(asString(key) ?? '').startsWith(CONDITIONS);

/** As the scheduler decides: without a key all taints are meant, without an effect all effects. */
function tolerates(toleration: Fields, taint: Fields): boolean {
  const { key = '', operator = 'Equal', value = '', effect = '' } = toleration;
  if (effect !== '' && effect !== taint['effect']) return false;
  if (operator === 'Exists') return key === '' || key === taint['key'];
  return key === taint['key'] && value === (taint['value'] ?? '');
}
