/** A DNS name of lower-case labels, with or without dots. */
export const isDnsName = (name: string): boolean => name.length <= 253 && name.split('.').every(isDnsLabel);

export const isDnsLabel = (name: string): boolean => /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name);

/** The key of a Kubernetes label or taint: `name` or `prefix.example/name`. */
export function isLabelKey(key: string): boolean {
  const [first = '', second, ...others] = key.split('/');
  if (others.length > 0) return false;
  return second === undefined ? isLabelName(first) : isDnsName(first) && isLabelName(second);
}

const isLabelName = (name: string): boolean => /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/.test(name);

export const isLabelValue = (value: string): boolean => value === '' || isLabelName(value);
