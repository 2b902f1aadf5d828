import { isIPv6 } from 'node:net';

/**
 * The subnet of an IPv6 range that kops writes `/64#a`: of its subnets with that prefix length, the one with that
 * hexadecimal index.
 */
export function addressPart(range: string, part: string): string {
  const wish = /^\/(\d+)#([0-9a-f]+)$/.exec(part);
  const [address = '', length = ''] = range.split('/');
  if (wish === null || !isIPv6(address) || !/^\d+$/.test(length)) {
    throw new Error(`${part} is not a part of ${range}: write it like /64#a`);
  }
  const [bits, number] = [Number(wish[1]), BigInt(`0x${wish[2]}`)];
  if (bits < Number(length) || bits > 128 || number >= 1n << BigInt(bits - Number(length))) {
    throw new Error(`${range} has no part ${part}`);
  }
  return `${format(parse(address) + (number << BigInt(128 - bits)))}/${bits}`;
}

function parse(address: string): bigint {
  const [head = '', tail] = address.split('::');
  const groups = (text: string) => text.split(':').filter((group) => group !== '');
  const last = tail === undefined ? [] : groups(tail);
  const first = groups(head);
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last].reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}

/** Formatted as AWS does: the longest run of zeros is compressed (RFC 5952 §4.2). */
function format(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) => (value >> BigInt(16 * (7 - index))) & 0xffffn);
  const text = groups.map((group) => group.toString(16)).join(':');
  const runs = [...text.matchAll(/(?:^|:)0(?::0)+(?=:|$)/g)].toSorted((a, b) => b[0].length - a[0].length);
  const [run] = runs;
  if (run === undefined) return text;
  return `${text.slice(0, run.index)}::${text.slice(run.index + run[0].length).replace(/^:/, '')}`;
}
