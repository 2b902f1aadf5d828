import { canonicalValue, quoteStrings, unquoteStrings } from '../record-values.ts';
import { canonicalName, type RecordType } from '../zone.ts';
import type { ReceivedMessage, ReceivedRecord } from './message.ts';
import { encodeName, readName } from './name.ts';

/** Encodes a value in the notation of zone files as record data. */
export function encodeValue(type: RecordType, value: string): Buffer {
  switch (type) {
    case 'A':
      return encodeIpv4(value);
    case 'AAAA':
      return encodeIpv6(value);
    case 'CNAME':
      return encodeName(canonicalName(value));
    case 'TXT':
      return Buffer.concat(unquoteStrings(value).map((bytes) => Buffer.concat([Buffer.from([bytes.length]), bytes])));
  }
}

function encodeIpv4(value: string): Buffer {
  const parts = value.split('.').map(Number);
  if (parts.length !== 4 || !parts.every((part) => Number.isInteger(part) && part >= 0 && part <= 255)) {
    throw new RangeError(`"${value}" is not an IPv4 address`);
  }
  return Buffer.from(parts);
}

function encodeIpv6(value: string): Buffer {
  if (!URL.canParse(`http://[${value}]`)) throw new RangeError(`"${value}" is not an IPv6 address`);
  const [left = '', right] = canonicalValue('AAAA', value).split('::');
  const [before, after] = [groups(left), groups(right ?? '')];
  const missing = right === undefined ? 0 : 8 - before.length - after.length;
  const bytes = Buffer.alloc(16);
  [...before, ...Array.from({ length: missing }, () => 0), ...after].forEach((group, index) =>
    bytes.writeUInt16BE(group, 2 * index),
  );
  return bytes;
}

function groups(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

/** The inverse of encodeValue, for a received record. */
export function decodeValue(type: RecordType, record: ReceivedRecord, message: ReceivedMessage): string {
  const data = Buffer.from(record.data);
  switch (type) {
    case 'A':
      if (data.length !== 4) throw new RangeError('the data of an A record is not an address');
      return data.join('.');
    case 'AAAA':
      if (data.length !== 16) throw new RangeError('the data of an AAAA record is not an address');
      return canonicalValue(
        'AAAA',
        Array.from({ length: 8 }, (_, at) => data.readUInt16BE(2 * at).toString(16)).join(':'),
      );
    case 'CNAME':
      return readName(message.bytes, record.dataOffset).name;
    case 'TXT':
      return quoteStrings(readStrings(data));
  }
}

function readStrings(data: Buffer): readonly Uint8Array[] {
  const strings: Uint8Array[] = [];
  for (let offset = 0; offset < data.length;) {
    const end = offset + 1 + data.readUInt8(offset);
    if (end > data.length) throw new RangeError('a string extends past the end of its TXT record');
    strings.push(data.subarray(offset + 1, end));
    offset = end;
  }
  return strings;
}
