import type { ObservedRecordSet, RecordSet } from './zone.ts';
import { canonicalName } from './zone.ts';

/**
 * Whether two sets give the same answers: the order of values, the notation of addresses and the case of names do not
 * matter.
 */
export function isSameSet(left: ObservedRecordSet, right: RecordSet): boolean {
  return left.ttlSeconds === right.ttlSeconds && canonicalValues(left).join('\n') === canonicalValues(right).join('\n');
}

function canonicalValues({ type, values }: ObservedRecordSet): readonly string[] {
  return [...new Set(values.map((value) => canonicalValue(type, value)))].sort();
}

/** The canonical notation of a value. */
export function canonicalValue(type: string, value: string): string {
  if (type === 'CNAME') return canonicalName(value);
  if (type !== 'AAAA') return value;
  // The URL parser writes IPv6 addresses in the form of RFC 5952.
  const url = URL.parse(`http://[${value}]`);
  return url === null ? value : url.hostname.slice(1, -1);
}

/** The largest string of a TXT record (RFC 1035 §3.3). */
const MAX_STRING_BYTES = 255;

/** A TXT value in the notation of zone files. */
export function quoteText(text: string): string {
  return quoteStrings(chunks(Buffer.from(text)));
}

/** The strings of a TXT record in the notation of zone files; non-ASCII bytes become `\DDD`. */
export function quoteStrings(strings: readonly Uint8Array[]): string {
  return strings.map((bytes) => `"${[...bytes].map(quoteByte).join('')}"`).join(' ');
}

function quoteByte(byte: number): string {
  const character = String.fromCharCode(byte);
  if (character === '"' || character === '\\') return `\\${character}`;
  return byte >= 0x20 && byte < 0x7f ? character : `\\${String(byte).padStart(3, '0')}`;
}

function chunks(bytes: Uint8Array): readonly Uint8Array[] {
  const count = Math.max(1, Math.ceil(bytes.length / MAX_STRING_BYTES));
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * MAX_STRING_BYTES, (index + 1) * MAX_STRING_BYTES),
  );
}

/** Parses the strings of a TXT value; the inverse of quoteStrings. */
export function unquoteStrings(value: string): readonly Uint8Array[] {
  const quoted = [...value.matchAll(/"((?:[^"\\]|\\[^])*)"/g)].map(([, inner = '']) => inner);
  return (quoted.length === 0 ? [value] : quoted).map(unescape);
}

function unescape(text: string): Uint8Array {
  const parts = [...text.matchAll(/\\(\d{3})|\\([^])|([^\\]+)/g)];
  return Buffer.concat(
    parts.map(([, code, escaped, plain]) =>
      code === undefined ? Buffer.from(escaped ?? plain ?? '') : Buffer.from([Number(code) & 0xff]),
    ),
  );
}

/** The text of a TXT value: all its strings joined. */
export function textOf(value: string): string {
  return Buffer.concat(unquoteStrings(value)).toString();
}
