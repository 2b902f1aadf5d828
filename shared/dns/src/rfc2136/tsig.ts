import { encodeName, readName } from './name.ts';
import { CLASS, encodeRecord, TYPE, uint16, type ReceivedMessage, type ReceivedRecord } from './message.ts';
import type { TsigKey } from './tsig-key.ts';

/** RFC 8945 §10 recommends 300 s. */
const FUDGE_SECONDS = 300;

export const TSIG_ERROR = { BADSIG: 16, BADKEY: 17, BADTIME: 18, BADTRUNC: 22 } as const;

/** The fields of a TSIG record (RFC 8945 §4.2). */
export interface Tsig {
  readonly keyName: string;
  readonly algorithm: string;
  readonly timeSeconds: number;
  readonly fudgeSeconds: number;
  readonly mac: Buffer;
  readonly originalId: number;
  readonly error: number;
  readonly other: Buffer;
}

/** Signs a request. Returns it with its TSIG record, and the MAC, which the signature of the answer covers. */
export function signRequest(message: Buffer, key: TsigKey, timeSeconds: number): { signed: Buffer; mac: Buffer } {
  const fields = { keyName: key.name, algorithm: key.algorithm, timeSeconds, fudgeSeconds: FUDGE_SECONDS };
  const unsigned = { ...fields, error: 0, other: Buffer.alloc(0) };
  const mac = key.mac([message, variables(unsigned)]);
  const record = encodeTsig({ ...unsigned, mac, originalId: message.readUInt16BE(0) });
  const signed = Buffer.concat([message, record]);
  signed.writeUInt16BE(message.readUInt16BE(10) + 1, 10);
  return { signed, mac };
}

function encodeTsig(tsig: Tsig): Buffer {
  const data = Buffer.concat([
    encodeName(tsig.algorithm),
    timers(tsig),
    uint16(tsig.mac.length),
    tsig.mac,
    uint16(tsig.originalId),
    uint16(tsig.error),
    uint16(tsig.other.length),
    tsig.other,
  ]);
  return encodeRecord({ name: tsig.keyName, type: TYPE.TSIG, class: CLASS.ANY, ttlSeconds: 0, data });
}

export function readTsig(record: ReceivedRecord, message: ReceivedMessage): Tsig {
  const { bytes } = message;
  if (record.class !== CLASS.ANY || record.ttlSeconds !== 0)
    throw new RangeError('a TSIG record has the wrong class or TTL');
  const { name: algorithm, next } = readName(bytes, record.dataOffset);
  const macEnd = next + 10 + bytes.readUInt16BE(next + 8);
  const otherEnd = macEnd + 6 + bytes.readUInt16BE(macEnd + 4);
  if (otherEnd !== record.dataOffset + record.data.length)
    throw new RangeError('the lengths in a TSIG record are inconsistent');
  return {
    keyName: record.name,
    algorithm,
    timeSeconds: bytes.readUIntBE(next, 6),
    fudgeSeconds: bytes.readUInt16BE(next + 6),
    mac: bytes.subarray(next + 10, macEnd),
    originalId: bytes.readUInt16BE(macEnd),
    error: bytes.readUInt16BE(macEnd + 2),
    other: bytes.subarray(macEnd + 6, otherEnd),
  };
}

export type Verdict =
  | { readonly is: 'authentic' }
  /** Part of a transfer; the next signature covers it. */
  | { readonly is: 'unsigned' }
  | { readonly is: 'forged'; readonly why: string };

/** At most 99 messages of a transfer in a row may be unsigned (RFC 8945 §5.3.1). */
const MAX_UNSIGNED = 99;

/** Verifies the answers to one request in the order of arrival (RFC 8945 §5.3). */
export class AnswerVerifier {
  readonly #key: TsigKey;
  #priorMac: Buffer;
  #isFirst = true;
  #unsigned: Buffer[] = [];

  constructor(key: TsigKey, requestMac: Buffer) {
    this.#key = key;
    this.#priorMac = requestMac;
  }

  check(message: ReceivedMessage, nowSeconds: number): Verdict {
    if (message.tsig === undefined) {
      if (this.#isFirst) return { is: 'forged', why: 'it is not signed' };
      this.#unsigned.push(message.bytes);
      return this.#unsigned.length > MAX_UNSIGNED
        ? { is: 'forged', why: `more than ${MAX_UNSIGNED} messages in a row are unsigned` }
        : { is: 'unsigned' };
    }
    const tsig = readTsig(message.tsig, message);
    if (tsig.keyName !== this.#key.name || tsig.algorithm !== this.#key.algorithm) {
      return { is: 'forged', why: `it is signed with ${tsig.keyName} (${tsig.algorithm})` };
    }
    const covered = this.#isFirst ? variables(tsig) : timers(tsig);
    const prior = [uint16(this.#priorMac.length), this.#priorMac];
    const parts = [...prior, ...this.#unsigned, withoutTsig(message, tsig), covered];
    if (!this.#key.isMacOf(tsig.mac, parts)) return { is: 'forged', why: 'its signature is wrong' };
    this.#isFirst = false;
    this.#unsigned = [];
    this.#priorMac = tsig.mac;
    if (tsig.error !== TSIG_ERROR.BADTIME && Math.abs(nowSeconds - tsig.timeSeconds) > tsig.fudgeSeconds) {
      return { is: 'forged', why: `it was signed ${Math.round(nowSeconds - tsig.timeSeconds)} s ago` };
    }
    return { is: 'authentic' };
  }
}

/** The message as it was signed. */
function withoutTsig(message: ReceivedMessage, tsig: Tsig): Buffer {
  const bytes = Buffer.from(message.bytes.subarray(0, message.tsig?.offset));
  bytes.writeUInt16BE(tsig.originalId, 0);
  bytes.writeUInt16BE(bytes.readUInt16BE(10) - 1, 10);
  return bytes;
}

/** RFC 8945 §4.3.3. */
function variables(tsig: Omit<Tsig, 'mac' | 'originalId'>): Buffer {
  const classAndTtl = Buffer.concat([uint16(CLASS.ANY), Buffer.alloc(4)]);
  const rest = [uint16(tsig.error), uint16(tsig.other.length), tsig.other];
  return Buffer.concat([encodeName(tsig.keyName), classAndTtl, encodeName(tsig.algorithm), timers(tsig), ...rest]);
}

function timers({ timeSeconds, fudgeSeconds }: Pick<Tsig, 'timeSeconds' | 'fudgeSeconds'>): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUIntBE(Math.floor(timeSeconds), 0, 6);
  bytes.writeUInt16BE(fudgeSeconds, 6);
  return bytes;
}
