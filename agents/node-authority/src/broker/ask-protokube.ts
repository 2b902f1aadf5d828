import type { Log } from '@kopsctl/agent/log.ts';
import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { type Answer, openHttp } from '@kopsctl/http/http.ts';
import { type Pace, tryAgain } from '@kopsctl/http/try-again.ts';
import { parseFailure } from '@kopsctl/node-identity/broker-messages.ts';

/** Half of what the broker accepts, which leaves room for a second authority while systemd replaces this one. */
const MAX_CONNECTIONS = 32;
/** The slowest answer takes 25 s: the one that nothing has changed. */
const ANSWER_WITHIN_MS = 60_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** protokube starts again within some seconds. A machine waits 30 s for an answer, and is called again after that. */
const UNTIL_IT_IS_BACK: Pace = { retries: 14, minTimeout: 100, factor: 1.5, maxTimeout: 2000 };

/** Questions to protokube by their paths (BROKER_PATHS). Both reject with what protokube says of a failure. */
export interface Questions {
  /** The text of the answer; undefined if what was asked for does not exist. */
  readonly find: (
    path: string,
    body: string | Buffer,
    signal: AbortSignal,
    maxBytes?: number,
  ) => Promise<string | undefined>;
  /** The same where there is always something. */
  readonly ask: (path: string, body: string | Buffer, signal: AbortSignal, maxBytes?: number) => Promise<string>;
}

/** Asks protokube on the same machine, over its socket. While it is away, questions wait for it a while. */
export function askProtokube(socketPath: string, log: Log): Questions {
  const http = openHttp({ socketPath, maxSockets: MAX_CONNECTIONS });
  let isAway = false;
  /** Logs each change once. */
  const note = (isAwayNow: boolean, error?: unknown): void => {
    if (isAwayNow === isAway) return;
    isAway = isAwayNow;
    if (isAway) log.warn('protokube does not answer; waiting for it', { socket: socketPath, error });
    else log.info('protokube answers again', { socket: socketPath });
  };

  const send = async (path: string, body: string | Buffer, maxBytes: number, signal: AbortSignal): Promise<Answer> => {
    const question = { method: 'POST', url: `http://broker${path}`, body, withinMs: ANSWER_WITHIN_MS, maxBytes };
    const pacing = {
      pace: UNTIL_IT_IS_BACK,
      isPassing: isConnectionError,
      onRetry: (error: unknown) => note(true, error),
    };
    try {
      const answer = await tryAgain(() => http.ask(question, signal), pacing, signal);
      note(false);
      return answer;
    } catch (cause) {
      signal.throwIfAborted();
      throw new ActionableError({
        what: `ask protokube for ${path} at ${socketPath}`,
        why: messageOf(cause),
        next: '`journalctl -u protokube` on this machine says why it does not serve the authority',
        cause,
      });
    }
  };
  const find: Questions['find'] = async (path, body, signal, maxBytes = MAX_ANSWER_BYTES) => {
    const { status, body: text } = await send(path, body, maxBytes, signal);
    if (status === 200) return text;
    const failure = parseFailure(text);
    if (status === 404) return undefined;
    throw new ActionableError(failure);
  };
  return {
    find,
    async ask(path, body, signal, maxBytes) {
      const text = await find(path, body, signal, maxBytes);
      if (text === undefined) throw new Error(`protokube has nothing for ${path}`);
      return text;
    },
  };
}

/** Nobody listens, or the connection broke: another protokube will be there. What was asked may be asked again. */
const isConnectionError = (error: unknown): boolean =>
  ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EACCES'].includes(codeOf(error) ?? '');
