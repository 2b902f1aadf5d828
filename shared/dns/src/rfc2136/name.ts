/** RFC 1035 §2.3.4. */
const MAX_LABEL_BYTES = 63;
const MAX_NAME_BYTES = 255;

/** Encodes a name without compression. Dots and unusual bytes in a label are written as `\.` and `\DDD`. */
export function encodeName(name: string): Buffer {
  const labels = name === '' ? [] : name.split(/(?<!\\)\./).map(encodeLabel);
  const bytes = Buffer.concat([...labels, Buffer.alloc(1)]);
  if (bytes.length > MAX_NAME_BYTES) throw new RangeError(`${name} is longer than ${MAX_NAME_BYTES} bytes`);
  return bytes;
}

function encodeLabel(label: string): Buffer {
  const unescaped = label.replace(/\\(\d{3})|\\(.)/g, (_, code: string | undefined, escaped: string) =>
    code === undefined ? escaped : String.fromCharCode(Number(code)),
  );
  const bytes = Buffer.from(unescaped, 'latin1');
  if (bytes.length === 0 || bytes.length > MAX_LABEL_BYTES)
    throw new RangeError(`"${label}" is not a valid label of a name`);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

/** Decodes a name, compressed or not, in lower case. `next` is the offset after it. */
export function readName(bytes: Buffer, start: number): { readonly name: string; readonly next: number } {
  const labels: string[] = [];
  let next: number | undefined;
  let offset = start;
  let limit = start;
  for (;;) {
    const length = bytes.readUInt8(offset);
    if (length === 0) return { name: labels.join('.'), next: next ?? offset + 1 };
    if (length < 0x40) {
      if (offset + 1 + length > bytes.length) throw new RangeError('a name extends past the end of the message');
      labels.push(readLabel(bytes.subarray(offset + 1, offset + 1 + length)));
      offset += 1 + length;
    } else {
      if (length < 0xc0) throw new RangeError('a name has a label of unknown type');
      const target = bytes.readUInt16BE(offset) & 0x3fff;
      // A pointer must lead backwards, so that decoding ends.
      if (target >= limit) throw new RangeError('a name points forward');
      next ??= offset + 2;
      limit = target;
      offset = target;
    }
  }
}

function readLabel(bytes: Uint8Array): string {
  return [...bytes]
    .map((byte) => {
      const character = String.fromCharCode(byte).toLowerCase();
      if (character === '.' || character === '\\') return `\\${character}`;
      return byte > 0x20 && byte < 0x7f ? character : `\\${String(byte).padStart(3, '0')}`;
    })
    .join('');
}
