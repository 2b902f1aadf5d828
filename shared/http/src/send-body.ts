import type { ClientRequest } from 'node:http';

/** Text and bytes are sent with their length, an iterable in chunks. */
export type Body = string | Uint8Array | AsyncIterable<Uint8Array>;

/** Sends the body no faster than the server reads it, and stops when an answer comes. */
export async function sendBody(body: Body | undefined, sent: ClientRequest, isAnswered: () => boolean): Promise<void> {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    sent.end(body);
    return;
  }
  for await (const chunk of body) {
    if (sent.destroyed || isAnswered()) return;
    if (!sent.write(chunk)) await drained(sent);
  }
  sent.end();
}

/** Each of these ends the wait of a writer. */
const EVENTS = ['drain', 'close', 'response'] as const;

function drained(sent: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      for (const event of EVENTS) sent.off(event, done);
      resolve();
    };
    for (const event of EVENTS) sent.on(event, done);
  });
}
