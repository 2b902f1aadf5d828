import { parseDurationNs } from './duration.ts';
import { isQuantity } from './scalar-syntax.ts';

const [MICROSECOND, MILLISECOND, SECOND] = [1000n, 1_000_000n, 1_000_000_000n];

/**
 * A duration as Go prints it: `60s` is `1m0s`. kops reads durations as numbers, and so this is how it stores and shows them.
 * Other text is left as it is.
 */
export function canonicalDuration(text: string): string {
  const ns = parseDurationNs(text);
  if (ns === undefined) return text;
  return ns < 0n ? `-${printed(-ns)}` : printed(ns);
}

function printed(ns: bigint): string {
  if (ns === 0n) return '0s';
  if (ns < MICROSECOND) return `${ns}ns`;
  if (ns < MILLISECOND) return `${decimal(ns, MICROSECOND)}µs`;
  if (ns < SECOND) return `${decimal(ns, MILLISECOND)}ms`;
  const minutes = ns / (60n * SECOND);
  const seconds = `${decimal(ns % (60n * SECOND), SECOND)}s`;
  if (minutes === 0n) return seconds;
  return minutes < 60n ? `${minutes}m${seconds}` : `${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** A number of units, with as many digits after the point as it needs. */
function decimal(value: bigint, unit: bigint): string {
  const digits = String(unit).length - 1;
  const fraction = String(value % unit)
    .padStart(digits, '0')
    .replace(/0+$/, '');
  return `${value / unit}${fraction === '' ? '' : `.${fraction}`}`;
}

const BINARY = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
/** The place of the suffix that multiplies by 1. */
const NONE = 3;

/**
 * A quantity as Kubernetes prints it (k8s.io/apimachinery pkg/api/resource): `0.5` is `500m`, `1024Mi` is `1Gi`. Text that is
 * none is left as it is, and so is what is smaller or larger than all suffixes.
 */
export function canonicalQuantity(text: string): string {
  if (!isQuantity(text)) return text;
  const [, sign, whole = '', fraction = '', suffix = ''] = /^([-+]?)(\d*)\.?(\d*)(.*)$/.exec(text) ?? [];
  const exponent = /^[eE]([-+]?\d+)$/.exec(suffix)?.[1];
  const binary = BINARY.indexOf(suffix) + 1;
  // The value is digits · 10^tens.
  const digits = BigInt(`${whole}${fraction}` || 0) * 1024n ** BigInt(binary);
  const tens = -fraction.length + (exponent === undefined ? decimalOf(suffix) : Number(exponent));
  if (digits === 0n) return '0';
  const scaled = binary > 0 ? inBinary(digits, tens) : undefined;
  const written = scaled ?? inDecimal(digits, tens, exponent !== undefined);
  return written === undefined ? text : `${sign === '-' ? '-' : ''}${written}`;
}

/** The zeros that a decimal suffix stands for; a binary one stands for none. */
const decimalOf = (suffix: string): number => (BINARY.includes(suffix) ? 0 : (DECIMAL.indexOf(suffix) - NONE) * 3);

/** Undefined for what is not a whole number of at least 1024, which is printed with decimal suffixes. */
function inBinary(digits: bigint, tens: number): string | undefined {
  const divisor = 10n ** BigInt(Math.max(-tens, 0));
  if (digits % divisor !== 0n) return undefined;
  let value = digits / divisor;
  if (value < 1024n) return undefined;
  let power = 0;
  for (; value % 1024n === 0n && power < BINARY.length; power++) value /= 1024n;
  return `${value}${BINARY[power - 1] ?? ''}`;
}

/** With as few digits as a suffix for a multiple of three zeros allows. */
function inDecimal(digits: bigint, tens: number, isExponent: boolean): string | undefined {
  let [value, zeros] = [digits, tens];
  for (; value % 10n === 0n; zeros++) value /= 10n;
  for (; zeros % 3 !== 0; zeros--) value *= 10n;
  if (isExponent) return `${value}${zeros === 0 ? '' : `e${zeros}`}`;
  const suffix = DECIMAL[zeros / 3 + NONE];
  return suffix === undefined ? undefined : `${value}${suffix}`;
}
