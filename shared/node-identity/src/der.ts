/** The parts of DER (ITU-T X.690) that certificate requests consist of: tags of one byte, at most 64 KiB. */
export const SEQUENCE = 0x30;
export const SET = 0x31;
export const BIT_STRING = 0x03;
export const OCTET_STRING = 0x04;
export const UTF8_STRING = 0x0c;

/** An element with what is in it. */
export function element(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const inside = Buffer.concat(content);
  const { length } = inside;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), inside]);
}

export interface Element {
  readonly tag: number;
  readonly content: Buffer;
  /** With tag and length. */
  readonly whole: Buffer;
}

/** The elements that some bytes consist of, in order; undefined if they are anything else. */
export function elementsIn(bytes: Buffer): readonly Element[] | undefined {
  const found: Element[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const one = firstIn(rest);
    if (one === undefined) return undefined;
    found.push(one);
    rest = rest.subarray(one.whole.length);
  }
  return found;
}

function firstIn(bytes: Buffer): Element | undefined {
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined || first > 0x82 || first === 0x80) return undefined;
  const header = first < 0x80 ? 2 : 2 + (first & 0x7f);
  if (bytes.length < header) return undefined;
  const length = first < 0x80 ? first : bytes.readUIntBE(2, header - 2);
  const whole = bytes.subarray(0, header + length);
  return whole.length < header + length ? undefined : { tag, content: whole.subarray(header), whole };
}
