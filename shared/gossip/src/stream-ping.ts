import type { StreamPing } from './swim/effects.ts';
import type { Input } from './swim/swim.ts';
import { askByStream } from './transport/tcp.ts';
import { encodeMessage } from './wire/encode-message.ts';
import type { Secrecy } from './wire/secrecy.ts';

/** Pings a node by TCP. Returns the input for the state machine; undefined where there was no answer. Never rejects. */
export async function pingByStream(ping: StreamPing, secrecy: Secrecy): Promise<Input | undefined> {
  const { to, node, seqNo, timeoutMs } = ping;
  const message = encodeMessage({ kind: 'ping', seqNo, node });
  try {
    const reply = await askByStream({ to, question: async () => message, secrecy, timeoutMs });
    return reply.kind === 'ack' && reply.seqNo === seqNo ? { kind: 'streamAck', seqNo } : undefined;
  } catch (error) {
    // The node did not answer by UDP either. The state machine suspects it when the probe ends without an ack.
    return error instanceof Error && error.message === 'ECONNREFUSED' ? { kind: 'streamRefused', seqNo } : undefined;
  }
}
