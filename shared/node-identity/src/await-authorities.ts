import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { AuthoritySession, type TrustedAuthority } from './authority-session.ts';
import { UnprovenCallers } from './unproven-callers.ts';

export interface Answering {
  readonly port: number;
  /** The address to wait at; all of this machine unless given. */
  readonly address?: string;
  readonly trusted: TrustedAuthority;
  /** Talks with one authority until the signal aborts: the authority has hung up. The connection is closed when this resolves. */
  readonly talk: (session: AuthoritySession, signal: AbortSignal) => Promise<void>;
  /** A caller was not an authority, or the talk failed. */
  readonly onFailure: (from: string, error: unknown) => void;
}

/** Ends a connection that was cut without notice. */
const KEEP_ALIVE_MS = 15_000;
/** What an authority said before it hung up may still be on its way. */
const LAST_WORD_MS = 1_000;
/** A caller that is not an authority is reported once in this time: strangers must not fill the journal. */
const TELL_EVERY_MS = 10_000;

/**
 * Waits for authorities to call this machine, until the signal aborts. It talks to only one at a time: the others find
 * out that it is busy, and call again.
 *
 * @throws if the port is taken
 */
export async function awaitAuthorities(answering: Answering, signal: AbortSignal): Promise<void> {
  const { port, address, trusted, talk } = answering;
  const unproven = new UnprovenCallers();
  const tell = tellSometimes(answering.onFailure);
  let isTalking = false;
  const answer = async (socket: Socket): Promise<void> => {
    const caller = { address: socket.remoteAddress ?? '', close: () => void socket.destroy() };
    unproven.enter(caller);
    const session = await AuthoritySession.begin(socket, trusted, signal).finally(() => unproven.leave(caller));
    if (isTalking) return session.end();
    isTalking = true;
    const ended = new AbortController();
    const stop = (): void => ended.abort(signal.reason);
    const hungUp = (): void => ended.abort(new Error('the authority has hung up'));
    signal.addEventListener('abort', stop, { once: true });
    // Others may call, whatever this machine still waits for, e.g. its cloud.
    void session.over().then(() => setTimeout(hungUp, LAST_WORD_MS).unref());
    try {
      await talk(session, ended.signal);
    } finally {
      isTalking = false;
      signal.removeEventListener('abort', stop);
      session.end();
    }
  };
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS }, (socket) => {
    const from = socket.remoteAddress ?? 'nobody';
    socket.on('error', () => undefined);
    answer(socket).catch((error: unknown) => {
      if (!signal.aborted) tell(from, error);
    });
  });
  try {
    server.listen(port, address);
    await once(server, 'listening', { signal });
    await once(server, 'close', { signal });
  } finally {
    server.close();
  }
}

/** Reports a failure at most once in a while. */
function tellSometimes(tell: Answering['onFailure']): Answering['onFailure'] {
  let toldMs = Number.NEGATIVE_INFINITY;
  return (from, error) => {
    const nowMs = performance.now();
    if (nowMs - toldMs < TELL_EVERY_MS) return;
    toldMs = nowMs;
    tell(from, error);
  };
}
