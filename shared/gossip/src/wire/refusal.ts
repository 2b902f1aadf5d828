/** Why bytes from the network were refused. Callers use it to limit log lines for each kind of fault. */
export type RefusalReason =
  | 'truncated'
  | 'malformed'
  | 'too-large'
  | 'too-deep'
  | 'unknown-type'
  | 'bad-checksum'
  | 'wrong-label'
  | 'not-encrypted'
  | 'wrong-key'
  /** The bytes could be read, but nobody can have meant them: a stamp or an incarnation of the far future. */
  | 'out-of-bounds'
  /** A record of a reserved name without the signature of a certified key. */
  | 'not-certified'
  /** Too many signatures came from there to verify them all. */
  | 'too-many';

/** Received bytes are not a valid memberlist message, or exceed a limit of this host. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Runs a decoder and returns its Refusal as a value. Any other error is a broken invariant and is thrown on. */
export function refusing<T>(decode: () => T): T | Refusal {
  try {
    return decode();
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown;
    throw thrown;
  }
}
