import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';

const DNS_PORT = 53;
const ANSWER_WITHIN_MS = 2_000;

/** The name servers of a resolv.conf. */
export function nameServersIn(resolvConf: string): readonly string[] {
  return resolvConf.split('\n').flatMap((line) => /^\s*nameserver\s+(\S+)/.exec(line)?.[1] ?? []);
}

/**
 * Asks the machine's own name servers one after another; undefined when none answers. Each request has a random id and
 * source port, so that only the server that was asked can answer it.
 */
export async function forward(
  request: Buffer,
  servers: readonly string[],
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  for (const server of servers) {
    try {
      return await ask(request, server, AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]));
    } catch {
      // This server does not answer: ask the next one. The client is told when none does.
      signal.throwIfAborted();
    }
  }
  return undefined;
}

async function ask(request: Buffer, server: string, signal: AbortSignal): Promise<Buffer> {
  const socket = createSocket(isIPv6(server) ? 'udp6' : 'udp4');
  try {
    socket.connect(DNS_PORT, server);
    await once(socket, 'connect', { signal });
    const id = randomInt(0x10000);
    const sent = Buffer.from(request);
    sent.writeUInt16BE(id);
    socket.send(sent);
    for (;;) {
      const [message] = (await once(socket, 'message', { signal })) as [Buffer];
      if (message.byteLength < 12 || message.readUInt16BE() !== id) continue;
      const answer = Buffer.from(message);
      answer.writeUInt16BE(request.readUInt16BE());
      return answer;
    }
  } finally {
    socket.close();
  }
}
