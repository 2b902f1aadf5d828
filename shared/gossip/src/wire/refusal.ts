/** Why bytes from the network were not taken. Callers count and log by this; none of them is ever an exception elsewhere. */
export type RefusalReason =
  | 'truncated'
  | 'malformed'
  | 'too-large'
  | 'too-deep'
  | 'unknown-type'
  | 'bad-checksum'
  | 'wrong-label'
  | 'not-encrypted'
  | 'wrong-key';

/** Bytes that are not what memberlist speaks, or more than this host is willing to hold. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Runs a decoder and gives its refusal as a value; whatever else it throws is a broken invariant and goes on up. */
export function refusing<T>(decode: () => T): T | Refusal {
  try {
    return decode();
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown;
    throw thrown;
  }
}
