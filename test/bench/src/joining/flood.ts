import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { authorityName } from '@kopsctl/node-identity/addresses.ts';
import { AuthoritySession, type Evidence, type TrustedAuthority } from '@kopsctl/node-identity/authority-session.ts';
import type { MachineKey } from '@kopsctl/node-identity/machine-key.ts';

/** What an attacker that answers for a machine has. */
export interface Attacker {
  readonly trusted: TrustedAuthority;
  readonly key: MachineKey;
  /** Another key, which is not the one that he shows. */
  readonly otherKey: MachineKey;
  /** From the cloud, about that machine: a pod in its network can have it. */
  readonly evidence: Evidence;
}

export type FloodKind =
  | 'rubbish'
  | 'rubbish-in-tls'
  | 'silence'
  | 'silence-in-tls'
  | 'close'
  | 'forged-signature'
  | 'other-key'
  | 'other-challenge';

/** Answers a call. Resolves with true if the authority took him for that machine. */
type Flood = (socket: Socket, attacker: Attacker, signal: AbortSignal) => Promise<boolean>;

/** More than any message may have. */
const RUBBISH_BYTES = 128 * 1024;

const FLOODS: Readonly<Record<FloodKind, Flood>> = {
  rubbish: async (socket) => {
    socket.end(randomBytes(RUBBISH_BYTES));
    return false;
  },
  'rubbish-in-tls': async (socket, { trusted: { authorityCa, cluster } }, signal) => {
    const connection = connect({ socket, ca: authorityCa, servername: authorityName(cluster) });
    connection.on('error', () => undefined);
    await once(connection, 'secureConnect', { signal });
    connection.end(randomBytes(RUBBISH_BYTES));
    return false;
  },
  silence: async () => false,
  'silence-in-tls': async (socket, { trusted }, signal) => {
    await AuthoritySession.begin(socket, trusted, signal);
    return false;
  },
  close: async (socket) => {
    socket.destroy();
    return false;
  },
  'forged-signature': (socket, attacker, signal) => {
    const { key, otherKey, evidence } = attacker;
    const forged = { publicKey: key.publicKey, sign: (challenge: Uint8Array) => otherKey.sign(challenge) };
    return isTaken(socket, attacker, { key: forged, evidence }, signal);
  },
  // The name is that of a machine that has enrolled with a key of its own.
  'other-key': (socket, attacker, signal) => isTaken(socket, attacker, attacker, signal),
  'other-challenge': (socket, attacker, signal) => {
    const { key } = attacker;
    const evidence: Evidence = (challenge, inner) => attacker.evidence(randomBytes(challenge.byteLength), inner);
    return isTaken(socket, attacker, { key, evidence }, signal);
  },
};

export const FLOOD_KINDS = Object.keys(FLOODS) as readonly FloodKind[];

/** A kind that attests comes to its end when it is refused; the authority calls again. */
async function isTaken(
  socket: Socket,
  { trusted }: Attacker,
  { key, evidence }: Pick<Attacker, 'key' | 'evidence'>,
  signal: AbortSignal,
): Promise<boolean> {
  const session = await AuthoritySession.begin(socket, trusted, signal);
  try {
    await session.attest(key, evidence, signal);
    return true;
  } finally {
    session.end();
  }
}

interface Answering {
  readonly address: string;
  readonly port: number;
  readonly kind: FloodKind;
  readonly attacker: Attacker;
  /** An authority has called. */
  readonly onCall: () => void;
  /** It took the attacker for the machine. */
  readonly onTaken: () => void;
}

/** Answers each call of an authority as this kind does, until the signal aborts. Resolves when it listens. */
export async function flood(
  { address, port, kind, attacker, onCall, onTaken }: Answering,
  signal: AbortSignal,
): Promise<void> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    onCall();
    FLOODS[kind](socket, attacker, signal).then(
      (isTaken) => isTaken && onTaken(),
      () => undefined, // It is refused, as it should be.
    );
  });
  signal.addEventListener('abort', () => server.close(), { once: true });
  server.listen(port, address);
  await once(server, 'listening', { signal });
}
