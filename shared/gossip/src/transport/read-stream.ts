import type { Socket } from 'node:net';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import { Refusal, refusing } from '../wire/refusal.ts';
import type { Incomplete, StreamMessage } from '../wire/stream.ts';

/**
 * Reads the first message of a stream; a gossip stream has only one in each direction. Rejects with a Refusal as soon
 * as the bytes cannot become a message, and with an Error if the stream ends, fails or times out.
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
    // The timeout covers the whole message, not the gap between two chunks.
    const timer = setTimeout(() => fail(new Error(`no complete message within ${timeoutMs} ms`)), timeoutMs);
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
        // Discards the rest of the stream.
        socket.removeAllListeners('data').resume();
        resolve(message);
      }
    });
    socket.once('end', () => fail(new Error('the stream ended before the message was complete')));
    socket.once('error', (error) => fail(new Error(codeOf(error) ?? error.message, { cause: error })));
    socket.once('close', () => fail(new Error('the stream was closed')));
  });
}
