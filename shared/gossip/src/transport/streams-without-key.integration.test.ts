import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openGossip } from '../open-gossip.ts';

/** Without it vitest waits for a second, which a busy computer may need for one look. */
const WAIT = { timeout: 30_000 };

const PORT = 7946;
const MIB = 1024 * 1024;
const PEER = join(import.meta.dirname, '../simulation/peer-process.ts');
/** All of 127.0.0.0/8 is local; only this process uses this subnet. */
const subnet = `127.${140 + (Math.floor(process.pid / 256) % 50)}.${process.pid % 256}`;
const VICTIM = `${subnet}.1`;
const key = randomBytes(32);

/** Pods and other machines of the network, which reach the port and have no key. */
describe('streams of strangers', () => {
  let child: ChildProcess;
  const sockets = new Set<Socket>();
  let isOver = false;

  beforeEach(async () => {
    isOver = false;
    child = fork(PEER, ['victim', VICTIM, key.toString('base64')], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    await once(child, 'message');
    child.send({ kind: 'open', seeds: [] });
    await once(child, 'message');
  });
  afterEach(async () => {
    isOver = true;
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });

  const from = (stranger: number): Socket => {
    const socket = connect({ host: VICTIM, port: PORT, localAddress: `${subnet}.${100 + stranger}` });
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const memoryMiB = async (field: 'VmHWM' | 'VmRSS'): Promise<number> => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
    return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  };
  /** Announces a message and sends all of it but the last byte, as long as the victim reads. */
  const announce = async (stranger: number, bytes: number): Promise<void> => {
    const socket = from(stranger);
    const closed = once(socket, 'close');
    const piece = Buffer.alloc(MIB / 4);
    const header = Buffer.of(10, 0, 0, 0, 0);
    header.writeUInt32BE(bytes, 1);
    socket.write(header);
    for (let left = bytes - 1; left > 0 && !socket.destroyed; left -= piece.length) {
      if (!socket.write(piece.subarray(0, left)))
        await Promise.race([once(socket, 'drain'), closed]).catch(() => undefined);
    }
  };

  it.each([
    // They keep 16 MiB. The rest is what V8 has not collected yet, which is more with three times as many streams.
    [40, 20 * MIB, 100],
    [120, 4 * MIB, 160],
  ])('%i of which announce %i bytes each take little memory', async (count, bytes, limitMiB) => {
    const before = await memoryMiB('VmRSS');
    await Promise.all(Array.from({ length: count }, (_, index) => announce(index % 20, bytes)));
    const peak = await memoryMiB('VmHWM');
    expect(peak - before, `from ${Math.round(before)} to ${Math.round(peak)} MiB`).toBeLessThan(limitMiB);
  });

  it('that send nothing, and come back when they are closed, do not keep a peer from joining', async () => {
    const stay = (stranger: number): void => {
      if (!isOver) from(stranger).once('close', () => setImmediate(stay, stranger));
    };
    for (let index = 0; index < 160; index += 1) stay(index % 20);
    await vi.waitFor(
      () => expect([...sockets].filter(({ readyState }) => readyState === 'open').length).toBeGreaterThan(100),
      WAIT,
    );
    const log = { info: () => undefined, warn: () => undefined };
    const seeds = async () => [{ address: VICTIM, port: PORT }];
    const peer = await openGossip({ name: 'joins', bindAddress: `${subnet}.2`, keys: [key], seeds, log });
    try {
      await vi.waitFor(() => expect(peer.members()).toHaveLength(2), { timeout: 5000, interval: 20 });
    } finally {
      await peer.close();
    }
  });
});
