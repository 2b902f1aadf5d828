import { Refusal } from './refusal.ts';

/** ::ffff:0:0/96, the IPv4-mapped form that Go often uses for an IPv4 address (RFC 4291 section 2.5.5.2). */
const MAPPED_IPV4 = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff);

/**
 * Formats an address of 4 or 16 bytes. An IPv4-mapped address is written as IPv4, so that equal addresses have equal
 * texts.
 */
export function addressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) throw new Refusal('malformed', `an address must have 4 or 16 bytes, not ${bytes.length}`);
  if (MAPPED_IPV4.every((byte, index) => bytes[index] === byte)) return bytes.subarray(12).join('.');
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0)).toString(16),
  );
  return shortened(groups);
}

/** Parses an address; undefined where the text is not one. */
export function addressBytes(text: string): Uint8Array | undefined {
  if (!text.includes(':')) return ipv4Bytes(text);
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const before = groupBytes(halves[0] ?? '');
  const after = halves.length === 2 ? groupBytes(halves[1] ?? '') : [];
  if (before === undefined || after === undefined) return undefined;
  const missing = 16 - before.length - after.length;
  if (halves.length === 2 ? missing < 2 : missing !== 0) return undefined;
  return Uint8Array.from([...before, ...Array.from({ length: missing }, () => 0), ...after]);
}

function groupBytes(text: string): number[] | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  const groups = text.split(':');
  for (const [index, group] of groups.entries()) {
    if (index === groups.length - 1 && group.includes('.')) {
      const last = ipv4Bytes(group);
      if (last === undefined) return undefined;
      bytes.push(...last);
    } else {
      if (!/^[0-9a-fA-F]{1,4}$/.test(group)) return undefined;
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
    }
  }
  return bytes;
}

function ipv4Bytes(text: string): Uint8Array | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255)) return undefined;
  return Uint8Array.from(parts, Number);
}

/** RFC 5952: the longest run of two or more zero groups, the first of equals, becomes `::`. */
function shortened(groups: readonly string[]): string {
  let bestFrom = 0;
  let bestLength = 0;
  for (let from = 0; from < groups.length; from += 1) {
    let length = 0;
    while (groups[from + length] === '0') length += 1;
    if (length > bestLength) [bestFrom, bestLength] = [from, length];
  }
  if (bestLength < 2) return groups.join(':');
  return `${groups.slice(0, bestFrom).join(':')}::${groups.slice(bestFrom + bestLength).join(':')}`;
}
