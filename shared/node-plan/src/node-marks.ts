/**
 * `<cluster>/node-marks.json`: the labels and taints that the Nodes of each instance group carry, by name of the
 * group. The control side computes them, and protokube's leader maintains them. A kubelet sets only what it may when it
 * registers (kubelet refuses labels of Kubernetes's own space) and never repairs anything later.
 */
export type NodeMarks = Readonly<Record<string, GroupMarks>>;

export interface GroupMarks {
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
}

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

/** Its path, relative to the cluster's folder of the state store. */
export const NODE_MARKS_FILE = 'node-marks.json';

/** Reads a taint as people write it: `key=value:Effect`, `key=:Effect` or `key:Effect` (kubelet --register-with-taints). */
export function parseTaint(text: string): Taint {
  const [, key = '', value, effect = ''] = /^([^=:]+)(?:=([^:]*))?:(.+)$/.exec(text) ?? [];
  if (key === '') throw new Error(`"${text}" is not a taint of the form key=value:Effect`);
  return { key, effect, ...(value === undefined || value === '' ? {} : { value }) };
}
