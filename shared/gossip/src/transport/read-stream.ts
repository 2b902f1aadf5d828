import type { Socket } from 'node:net';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import { Refusal, refusing } from '../wire/refusal.ts';
import type { Incomplete, StreamMessage } from '../wire/stream.ts';

/**
 * The first message of a stream, which is all that a stream of gossip has in either direction. Rejects with Refusal
 * as soon as it cannot become one, and with an Error where the stream ends, breaks or takes longer than it may.
 */
export function readStreamMessage(
  socket: Socket,
  timeoutMs: number,
  open: (bytes: Uint8Array) => StreamMessage | Incomplete,
): Promise<StreamMessage> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let wantedBytes = 1;
    // Until everything is there, and not merely between two bytes of it.
    const timer = setTimeout(() => fail(new Error(`no whole message within ${timeoutMs} ms`)), timeoutMs);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
    };
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length < wantedBytes) return;
      const message = refusing(() => open(Buffer.concat(chunks)));
      if (message instanceof Refusal) fail(message);
      else if (message.kind === 'incomplete') ({ wantedBytes } = message);
      else {
        clearTimeout(timer);
        // Whatever else comes is not kept.
        socket.removeAllListeners('data').resume();
        resolve(message);
      }
    });
    socket.once('end', () => fail(new Error('the stream ended before a whole message was there')));
    socket.once('error', (error) => fail(new Error(codeOf(error) ?? error.message, { cause: error })));
    socket.once('close', () => fail(new Error('the stream was closed')));
  });
}
