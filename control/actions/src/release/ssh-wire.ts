/** Reads the strings and numbers of SSH's wire format (RFC 4251, section 5). Every length is checked against what is there. */
export class WireReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** @throws RangeError where fewer bytes follow */
  take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError(`${length} bytes are announced, ${this.#rest()} follow`);
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  uint32(): number {
    return this.take(4).readUInt32BE();
  }

  string(): Buffer {
    return this.take(this.uint32());
  }

  text(): string {
    return this.string().toString('latin1');
  }

  /** @throws RangeError where bytes are left: nothing that was not read may pass as read */
  end(): void {
    if (this.#rest() > 0) throw new RangeError(`${this.#rest()} bytes follow the end`);
  }

  #rest(): number {
    return this.#bytes.length - this.#at;
  }
}

/** A string of SSH's wire format: its length, then its bytes. */
export function wireString(value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
