import { isQuantity } from './scalar-syntax.ts';

const BINARY = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const DECIMAL: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  K: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
};

/** Parses a Kubernetes quantity (`100m`, `1.5Gi`, `2e3`) to a number. Undefined for other text. */
export function parseQuantity(text: string): number | undefined {
  if (!isQuantity(text)) return undefined;
  const [, number = '0', suffix = ''] = /^([-+]?[\d.]+(?:[eE][-+]?\d+)?)(.*)$/.exec(text) ?? [];
  const power = BINARY.indexOf(suffix) + 1;
  return Number(number) * (power > 0 ? 1024 ** power : (DECIMAL[suffix] ?? 1));
}
