import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { ReceivedMessage } from './message.ts';
import { readTsig, TSIG_ERROR } from './tsig.ts';
import type { TsigKey } from './tsig-key.ts';

export const RCODE = {
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

/** The codes that say that a prerequisite of an update does not hold (RFC 2136 §2.2). */
export const CONFLICTS: readonly number[] = [RCODE.NXDOMAIN, RCODE.YXDOMAIN, RCODE.YXRRSET, RCODE.NXRRSET];

export interface Asked {
  /** Completes "cannot …". */
  readonly what: string;
  readonly key: TsigKey;
  readonly zoneName: string;
  readonly nowSeconds: number;
}

/** What an answer that is a refusal means, and what to do about it. */
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
        next: `give it the key, or name the key it knows`,
      };
    case TSIG_ERROR.BADSIG:
      return {
        why: `the name server holds another secret for the key ${key.name} (BADSIG)`,
        next: 'compare the secrets of both sides, and put the right one in place',
      };
    case TSIG_ERROR.BADTIME:
      return {
        why: `the clocks of this machine and the name server differ by ${clockDifference(other, nowSeconds)} (BADTIME)`,
        next: 'check the time of both with `timedatectl`; an NTP service keeps it right',
      };
    case TSIG_ERROR.BADTRUNC:
      return {
        why: `the name server wants longer signatures than ${key.algorithm} gives (BADTRUNC)`,
        next: 'use a key with hmac-sha512',
      };
    default:
      return undefined;
  }
}

/** RFC 8945 §5.2.3: the answer BADTIME carries the server's time. */
function clockDifference(other: Buffer, nowSeconds: number): string {
  return other.length === 6 ? `${Math.abs(Math.round(nowSeconds - other.readUIntBE(0, 6)))} s` : 'more than it allows';
}

function explainCode(rcode: number, { key, zoneName }: Asked) {
  switch (rcode) {
    case RCODE.REFUSED:
      return {
        why: `the name server refuses it to the key ${key.name} (REFUSED)`,
        next: `allow that key to update and to transfer the zone ${zoneName} (bind: allow-update, allow-transfer; knot: acl)`,
      };
    case RCODE.NOTAUTH:
    case RCODE.NOTZONE:
      return {
        why: `the name server is not the primary of the zone ${zoneName} for the key ${key.name} (${nameOf(rcode)})`,
        next: 'name the primary server of that zone, and the zone itself, not a name within it',
      };
    case RCODE.NOTIMP:
      return { why: 'the name server does not take updates (NOTIMP)', next: 'name a server that speaks RFC 2136' };
    default:
      return {
        why: `the name server answered ${nameOf(rcode)}`,
        next: 'look for the reason in the log of the name server',
      };
  }
}

function nameOf(rcode: number): string {
  return Object.entries(RCODE).find(([, code]) => code === rcode)?.[0] ?? `error ${rcode}`;
}
