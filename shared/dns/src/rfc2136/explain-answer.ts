import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { ReceivedMessage } from './message.ts';
import { readTsig, TSIG_ERROR } from './tsig.ts';
import type { TsigKey } from './tsig-key.ts';

const RCODE = {
  NOERROR: 0,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  YXDOMAIN: 6,
  YXRRSET: 7,
  NXRRSET: 8,
  NOTAUTH: 9,
  NOTZONE: 10,
} as const;

/** The codes for a failed prerequisite of an update (RFC 2136 §2.2). */
export const CONFLICTS: readonly number[] = [RCODE.NXDOMAIN, RCODE.YXDOMAIN, RCODE.YXRRSET, RCODE.NXRRSET];

export interface Asked {
  /** Completes the sentence "cannot …". */
  readonly what: string;
  readonly key: TsigKey;
  readonly zoneName: string;
  readonly nowSeconds: number;
}

/** Explains an error response and what to do about it. */
export function explainRefusal(answer: ReceivedMessage, asked: Asked): ActionableError {
  return new ActionableError({ what: asked.what, ...(explainTsig(answer, asked) ?? explainCode(answer.rcode, asked)) });
}

function explainTsig({ tsig, ...answer }: ReceivedMessage, { key, nowSeconds }: Asked) {
  const { error, other } =
    tsig === undefined ? { error: 0, other: Buffer.alloc(0) } : readTsig(tsig, { tsig, ...answer });
  switch (error) {
    case TSIG_ERROR.BADKEY:
      return {
        why: `the name server does not know the key ${key.name} with ${key.algorithm} (BADKEY)`,
        next: 'add the key to the name server, or use a key that it knows',
      };
    case TSIG_ERROR.BADSIG:
      return {
        why: `the name server has another secret for the key ${key.name} (BADSIG)`,
        next: 'use the same secret on both sides',
      };
    case TSIG_ERROR.BADTIME:
      return {
        why: `the clocks of this machine and the name server differ by ${clockDifference(other, nowSeconds)} (BADTIME)`,
        next: 'check the time on both with `timedatectl`, and run an NTP service',
      };
    case TSIG_ERROR.BADTRUNC:
      return {
        why: `the name server requires longer signatures than those of ${key.algorithm} (BADTRUNC)`,
        next: 'use a key with hmac-sha512',
      };
    default:
      return undefined;
  }
}

/** The answer BADTIME contains the server's time (RFC 8945 §5.2.3). */
function clockDifference(other: Buffer, nowSeconds: number): string {
  return other.length === 6 ? `${Math.abs(Math.round(nowSeconds - other.readUIntBE(0, 6)))} s` : 'more than it allows';
}

function explainCode(rcode: number, { key, zoneName }: Asked) {
  switch (rcode) {
    case RCODE.REFUSED:
      return {
        why: `the name server does not allow this for the key ${key.name} (REFUSED)`,
        next: `allow that key to update and to transfer the zone ${zoneName} (bind: allow-update, allow-transfer; knot: acl)`,
      };
    case RCODE.NOTAUTH:
    case RCODE.NOTZONE:
      return {
        why: `the name server is not the primary of the zone ${zoneName} for the key ${key.name} (${nameOf(rcode)})`,
        next: 'give the primary server of that zone, and the zone itself instead of a name in it',
      };
    case RCODE.NOTIMP:
      return { why: 'the name server does not support updates (NOTIMP)', next: 'use a server that supports RFC 2136' };
    default:
      return {
        why: `the name server answered ${nameOf(rcode)}`,
        next: 'check the log of the name server',
      };
  }
}

function nameOf(rcode: number): string {
  return Object.entries(RCODE).find(([, code]) => code === rcode)?.[0] ?? `error ${rcode}`;
}
