import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import path from 'node:path';

import { execa } from 'execa';

/** Runs Docker on this host, beside any other, until the work is done. It has no network. */
export async function withDocker(
  bin: string,
  folder: string,
  work: (docker: (...args: readonly string[]) => Promise<string>) => Promise<void>,
): Promise<void> {
  const socket = path.join(folder, 'docker.sock');
  const places = [`--data-root=${folder}/data`, `--exec-root=${folder}/exec`, `--pidfile=${folder}/docker.pid`];
  const network = ['--bridge=none', '--iptables=false', '--ip6tables=false'];
  // Its own /run, where the containerd of this host and its sockets are not.
  const script = 'mount -t tmpfs none /run && exec dockerd "$@"';
  const within = ['--pdeathsig', 'KILL', 'unshare', '--mount', '--net', '--propagation', 'private', 'sh', '-c', script];
  const child = spawn('setpriv', [...within, 'dockerd', `--host=unix://${socket}`, ...places, ...network], {
    stdio: 'ignore',
    env: { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` },
  });
  const ended = once(child, 'exit');
  try {
    await untilThere(socket, () => child.exitCode !== null);
    await work(async (...args) => {
      const { stdout } = await execa(path.join(bin, 'docker'), ['--host', `unix://${socket}`, ...args]);
      return stdout;
    });
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

async function untilThere(socket: string, hasEnded: () => boolean): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const isThere = await access(socket).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    if (hasEnded() || performance.now() > deadline) throw new Error('Docker did not start');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
