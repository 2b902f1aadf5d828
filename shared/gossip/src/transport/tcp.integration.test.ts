import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { encodeMessage } from '../wire/encode-message.ts';
import { sealStream } from '../wire/stream.ts';
import { serveStreams } from './tcp.ts';

/** All of 127.0.0.0/8 is local; only this process uses this address. */
const at = { address: `127.${190 + (Math.floor(process.pid / 256) % 50)}.${process.pid % 256}.1`, port: 7946 };
const secrecy = { keys: [randomBytes(32)], label: '' };

afterEach(() => vi.useRealTimers());

it('a stream that is answered ends, although the other side never stops to send', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const server = await serveStreams(at, () => secrecy, {
    onMessage: () => Buffer.from('answer'),
    onRefused: () => undefined,
    onBroken: () => undefined,
  });
  const socket = connect({ host: at.address, port: at.port, allowHalfOpen: true });
  socket.on('error', () => undefined);
  const ping = encodeMessage({ kind: 'ping', seqNo: 1, node: '' });
  const nonce = randomBytes(12);
  socket.write(sealStream(ping, secrecy, { compress: false, nonce, isDialler: true }));
  socket.resume();
  await once(socket, 'end');
  const sending = setInterval(() => socket.write('x'), 10);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  try {
    vi.advanceTimersByTime(20_000);
    await closed;
    expect(socket.destroyed).toBe(true);
  } finally {
    clearInterval(sending);
    socket.destroy();
    await server.close();
  }
});
