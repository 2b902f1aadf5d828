/**
 * Writes MessagePack as Go's old codec reads it (hashicorp/go-msgpack 0.5): text and bytes share the types fixraw,
 * raw16 and raw32. It does not know the later str8 and bin types, so a general encoder cannot be used.
 */
export class PackWriter {
  #buffer: Buffer;
  #length = 0;

  constructor(capacity = 256) {
    this.#buffer = Buffer.allocUnsafe(capacity);
  }

  /** Writes one raw byte, e.g. the message type. */
  byte(value: number): this {
    this.#room(1);
    this.#buffer[this.#length++] = value;
    return this;
  }

  map(entries: number): this {
    if (entries <= 15) return this.byte(0x80 | entries);
    return this.byte(0xde)
      .byte(entries >>> 8)
      .byte(entries & 0xff);
  }

  key(name: string): this {
    return this.text(name);
  }

  text(value: string): this {
    const bytes = Buffer.byteLength(value);
    this.#rawHeader(bytes);
    this.#room(bytes);
    this.#length += this.#buffer.write(value, this.#length);
    return this;
  }

  bytes(value: Uint8Array): this {
    this.#rawHeader(value.length);
    return this.append(value);
  }

  /** Writes an unsigned integer of up to 53 bits in its shortest form. */
  uint(value: number): this {
    if (value <= 0x7f) return this.byte(value);
    if (value <= 0xff) return this.byte(0xcc).byte(value);
    this.#room(9);
    if (value <= 0xff_ff) {
      this.#buffer[this.#length] = 0xcd;
      this.#length = this.#buffer.writeUInt16BE(value, this.#length + 1);
    } else if (value <= 0xff_ff_ff_ff) {
      this.#buffer[this.#length] = 0xce;
      this.#length = this.#buffer.writeUInt32BE(value, this.#length + 1);
    } else {
      this.#buffer[this.#length] = 0xcf;
      this.#length = this.#buffer.writeBigUInt64BE(BigInt(value), this.#length + 1);
    }
    return this;
  }

  bool(value: boolean): this {
    return this.byte(value ? 0xc3 : 0xc2);
  }

  /** Writes bytes without a header. */
  append(value: Uint8Array): this {
    this.#room(value.length);
    this.#buffer.set(value, this.#length);
    this.#length += value.length;
    return this;
  }

  /** Returns the bytes. The writer must not be used afterwards. */
  finish(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  #rawHeader(length: number): void {
    if (length <= 31) {
      this.byte(0xa0 | length);
      return;
    }
    this.#room(5);
    if (length <= 0xff_ff) {
      this.#buffer[this.#length] = 0xda;
      this.#length = this.#buffer.writeUInt16BE(length, this.#length + 1);
    } else {
      this.#buffer[this.#length] = 0xdb;
      this.#length = this.#buffer.writeUInt32BE(length, this.#length + 1);
    }
  }

  #room(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length + bytes));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}
