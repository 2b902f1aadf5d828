import { Refusal } from './refusal.ts';

/**
 * LZW as in Go's compress/lzw with order LSB and 8-bit literals, the variant of GIF: codes grow from 9 to 12 bits, 256
 * clears the table, 257 ends the data.
 */
const CLEAR = 256;
const END = 257;
const FIRST_WIDTH = 9;
const MAX_WIDTH = 12;
/** The writer clears the table one code before it is full, as Go's does. */
const LAST_CODE = (1 << MAX_WIDTH) - 1;

export function lzwCompress(data: Uint8Array): Uint8Array {
  const bits = new BitWriter(data.length + 16);
  const table = new Map<number, number>();
  let width = FIRST_WIDTH;
  let highest = END;
  bits.write(CLEAR, width);
  let prefix = data[0];
  if (prefix === undefined) {
    bits.write(END, width);
    return bits.finish();
  }
  /** Counts the code that the reader adds next. Returns true if it cleared the table instead. */
  const next = (): boolean => {
    highest += 1;
    if (highest === 1 << width) width += 1;
    if (highest !== LAST_CODE) return false;
    bits.write(CLEAR, width);
    table.clear();
    width = FIRST_WIDTH;
    highest = END;
    return true;
  };
  for (let at = 1; at < data.length; at += 1) {
    const literal = data[at] ?? 0;
    const key = (prefix << 8) | literal;
    const known = table.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    bits.write(prefix, width);
    prefix = literal;
    if (!next()) table.set(key, highest);
  }
  bits.write(prefix, width);
  next();
  bits.write(END, width);
  return bits.finish();
}

/** Decompresses data. Throws Refusal if it is damaged, or if the result would exceed `maxBytes`. */
export function lzwDecompress(data: Uint8Array, maxBytes: number): Uint8Array {
  const bits = new BitReader(data);
  const prefixes = new Uint16Array(1 << MAX_WIDTH);
  const suffixes = new Uint8Array(1 << MAX_WIDTH);
  const lengths = new Uint16Array(1 << MAX_WIDTH);
  let out = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(256, data.length * 4)));
  let length = 0;
  let width = FIRST_WIDTH;
  let highest = END;
  let last = -1;
  const lengthOf = (code: number): number => (code < CLEAR ? 1 : (lengths[code] ?? 0));

  for (;;) {
    const code = bits.read(width);
    if (code === END) return out.subarray(0, length);
    if (code === CLEAR) {
      width = FIRST_WIDTH;
      highest = END;
      last = -1;
      continue;
    }
    // A code may refer to the entry that it completes: then it stands for the last code followed by its own first byte.
    const isOwn = last !== -1 && code === highest;
    if (code > highest) throw new Refusal('malformed', `LZW code ${code} is not in the table`);
    const from = isOwn ? last : code;
    const count = lengthOf(from) + (isOwn ? 1 : 0);
    if (length + count > maxBytes) throw new Refusal('too-large', `the decompressed data exceeds ${maxBytes} bytes`);
    if (length + count > out.length) {
      const larger = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(out.length * 2, length + count)));
      larger.set(out.subarray(0, length));
      out = larger;
    }
    let at = length + lengthOf(from) - 1;
    let walk = from;
    while (walk >= CLEAR) {
      out[at--] = suffixes[walk] ?? 0;
      walk = prefixes[walk] ?? 0;
    }
    out[at] = walk;
    if (isOwn) out[length + count - 1] = walk;
    length += count;
    if (last !== -1 && highest <= LAST_CODE) {
      prefixes[highest] = last;
      suffixes[highest] = walk;
      lengths[highest] = lengthOf(last) + 1;
    }
    last = code;
    highest += 1;
    if (highest >= 1 << width) {
      if (width === MAX_WIDTH) {
        // The table is full: no entry is added until the writer clears it.
        last = -1;
        highest -= 1;
      } else {
        width += 1;
      }
    }
  }
}

class BitWriter {
  #bytes: Buffer;
  #length = 0;
  #pending = 0;
  #count = 0;

  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafe(capacity);
  }

  write(code: number, width: number): void {
    this.#pending |= code << this.#count;
    this.#count += width;
    while (this.#count >= 8) {
      this.#put(this.#pending & 0xff);
      this.#pending >>>= 8;
      this.#count -= 8;
    }
  }

  finish(): Uint8Array {
    if (this.#count > 0) this.#put(this.#pending & 0xff);
    return this.#bytes.subarray(0, this.#length);
  }

  #put(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const larger = Buffer.allocUnsafe(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length++] = byte;
  }
}

class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #pending = 0;
  #count = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  read(width: number): number {
    while (this.#count < width) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new Refusal('truncated', 'the LZW data has no end code');
      this.#pending |= byte << this.#count;
      this.#count += 8;
    }
    const code = this.#pending & ((1 << width) - 1);
    this.#pending >>>= width;
    this.#count -= width;
    return code;
  }
}
