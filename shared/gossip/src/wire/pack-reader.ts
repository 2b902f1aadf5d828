import { Refusal } from './refusal.ts';

/** A MessagePack value. Go's old codec does not distinguish text from bytes, so both are read as bytes. */
export type PackValue = null | boolean | number | Uint8Array | readonly PackValue[] | PackMap;
export type PackMap = ReadonlyMap<string, PackValue>;

/** memberlist's messages are flat maps. More levels are allowed for fields of later versions. */
const MAX_DEPTH = 4;
/** The longest field name of any message has 12 characters. */
const MAX_KEY_BYTES = 64;

/**
 * Reads MessagePack from untrusted bytes. A header that announces more elements than bytes are left is refused before
 * memory is allocated, so the input bounds the memory in use.
 */
export class PackReader {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Uint8Array, offset = 0) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = offset;
  }

  /** Where the next value starts. */
  get offset(): number {
    return this.#at;
  }

  /** Reads the next value, which must be a map with text keys. */
  map(): PackMap {
    const value = this.#value(0);
    if (!(value instanceof Map)) throw new Refusal('malformed', 'the message is not a map');
    return value;
  }

  #value(depth: number): PackValue {
    const head = this.#uint(1);
    if (head <= 0x7f) return head;
    if (head <= 0x8f) return this.#entries(head & 0x0f, depth);
    if (head <= 0x9f) return this.#elements(head & 0x0f, depth);
    if (head <= 0xbf) return this.#raw(head & 0x1f);
    if (head >= 0xe0) return head - 0x100;
    switch (head) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
      case 0xd9:
        return this.#raw(this.#uint(1));
      case 0xc5:
      case 0xda:
        return this.#raw(this.#uint(2));
      case 0xc6:
      case 0xdb:
        return this.#raw(this.#uint(4));
      case 0xca:
        return this.#bytes.readFloatBE(this.#take(4));
      case 0xcb:
        return this.#bytes.readDoubleBE(this.#take(8));
      case 0xcc:
        return this.#uint(1);
      case 0xcd:
        return this.#uint(2);
      case 0xce:
        return this.#uint(4);
      case 0xcf:
        return this.#whole(this.#bytes.readBigUInt64BE(this.#take(8)));
      case 0xd0:
        return this.#bytes.readInt8(this.#take(1));
      case 0xd1:
        return this.#bytes.readInt16BE(this.#take(2));
      case 0xd2:
        return this.#bytes.readInt32BE(this.#take(4));
      case 0xd3:
        return this.#whole(this.#bytes.readBigInt64BE(this.#take(8)));
      case 0xdc:
        return this.#elements(this.#uint(2), depth);
      case 0xdd:
        return this.#elements(this.#uint(4), depth);
      case 0xde:
        return this.#entries(this.#uint(2), depth);
      case 0xdf:
        return this.#entries(this.#uint(4), depth);
      default:
        throw new Refusal('malformed', `0x${head.toString(16)} does not start a value`);
    }
  }

  #entries(count: number, depth: number): PackMap {
    this.#expect(count * 2, depth);
    const entries = new Map<string, PackValue>();
    for (let index = 0; index < count; index += 1) {
      const key = this.#value(depth + 1);
      if (!(key instanceof Uint8Array)) throw new Refusal('malformed', 'a field name is not text');
      if (key.length > MAX_KEY_BYTES)
        throw new Refusal('too-large', `a field name has more than ${MAX_KEY_BYTES} bytes`);
      // Field names are ASCII, and latin1 is the fastest decoding.
      const name = Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1');
      entries.set(name, this.#value(depth + 1));
    }
    return entries;
  }

  #elements(count: number, depth: number): readonly PackValue[] {
    this.#expect(count, depth);
    const elements: PackValue[] = [];
    for (let index = 0; index < count; index += 1) elements.push(this.#value(depth + 1));
    return elements;
  }

  /** Each value takes at least one byte, so the remaining bytes limit the number of values. */
  #expect(values: number, depth: number): void {
    if (depth >= MAX_DEPTH) throw new Refusal('too-deep', `values are nested more than ${MAX_DEPTH} deep`);
    if (values > this.#bytes.length - this.#at)
      throw new Refusal('truncated', `${values} values are announced, but the message is shorter`);
  }

  #raw(length: number): Uint8Array {
    const from = this.#take(length);
    return this.#bytes.subarray(from, from + length);
  }

  #uint(bytes: 1 | 2 | 4): number {
    return this.#bytes.readUIntBE(this.#take(bytes), bytes);
  }

  #whole(value: bigint): number {
    const number = Number(value);
    if (!Number.isSafeInteger(number)) throw new Refusal('too-large', `${value} is too large for an integer field`);
    return number;
  }

  #take(bytes: number): number {
    const from = this.#at;
    if (bytes > this.#bytes.length - from) {
      throw new Refusal('truncated', `${bytes} bytes expected, ${this.#bytes.length - from} left`);
    }
    this.#at = from + bytes;
    return from;
  }
}
