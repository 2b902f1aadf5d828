import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A download server that misbehaves on demand, for tests. */
export interface Mirror {
  readonly url: string;
  /** The Range header of each request so far; empty where there was none. */
  readonly ranges: string[];
  /** How many bytes it has sent in all. */
  sentBytes(): number;
  close(): Promise<void>;
}

export interface MirrorBehaviour {
  /** Ends the connection after so many bytes of each answer. */
  readonly breakAfterBytes?: number;
  /** Waits for this before it ends the connection: what has arrived when a connection breaks may still be dropped unread. */
  readonly breakWhen?: () => Promise<void>;
  /** Says nothing more after so many bytes of each answer, and keeps the connection. */
  readonly stallAfterBytes?: number;
  readonly ignoresRanges?: boolean;
  readonly status?: number;
  /** Between pieces. */
  readonly pauseMs?: number;
  /** 64 KiB, if it is not given. */
  readonly pieceBytes?: number;
}

export async function startMirror(content: Uint8Array, behaviour: MirrorBehaviour = {}): Promise<Mirror> {
  const ranges: string[] = [];
  let sent = 0;
  const server = createServer((request, response) => {
    ranges.push(request.headers.range ?? '');
    void answer(request, response);
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const asked = behaviour.ignoresRanges === true ? undefined : /^bytes=(\d+)-$/.exec(request.headers.range ?? '');
    const from = Number(asked?.[1] ?? 0);
    if (asked && from >= content.length) return response.writeHead(416).end();
    const headers = { 'content-length': content.length - from };
    const range = { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` };
    response.writeHead(behaviour.status ?? (asked ? 206 : 200), asked ? { ...headers, ...range } : headers);
    const stopAt = from + Math.min(behaviour.breakAfterBytes ?? Infinity, behaviour.stallAfterBytes ?? Infinity);
    const { pieceBytes = 1 << 16 } = behaviour;
    for (let at = from; at < Math.min(content.length, stopAt); at += pieceBytes) {
      const piece = content.subarray(at, Math.min(at + pieceBytes, stopAt));
      sent += piece.length;
      response.write(piece);
      if (behaviour.pauseMs !== undefined) await new Promise((wake) => setTimeout(wake, behaviour.pauseMs));
    }
    if (behaviour.stallAfterBytes !== undefined) return undefined;
    if (stopAt >= content.length) return response.end();
    await behaviour.breakWhen?.();
    // All that was written arrives before the end of the connection does, which comes too early.
    return response.socket?.end();
  };
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the mirror has no port');
  return {
    url: `http://127.0.0.1:${address.port}/asset`,
    ranges,
    sentBytes: () => sent,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
