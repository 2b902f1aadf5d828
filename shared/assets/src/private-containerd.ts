import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { execa } from 'execa';

/**
 * Only images are needed: without these plugins containerd neither waits for pods nor looks at the host's networks. It
 * collects no garbage, because the next download continues with what a broken one has left.
 */
const CONFIG = `version = 2
disabled_plugins = [
  "io.containerd.grpc.v1.cri",
  "io.containerd.cri.v1.images",
  "io.containerd.cri.v1.runtime",
  "io.containerd.nri.v1.nri",
  "io.containerd.podsandbox.controller.v1.podsandbox",
  "io.containerd.sandbox.controller.v1.shim",
]

[plugins."io.containerd.gc.v1.scheduler"]
  deletion_threshold = 0
  mutation_threshold = 1000000
  startup_delay = "24h"
`;

/** It starts in a tenth of a second. */
const STARTS_WITHIN_MS = 30_000;

export interface PrivateContainerd {
  readonly program: string;
  /** Its only storage. */
  readonly root: string;
  /** Completes "start containerd to …". */
  readonly purpose: string;
}

/**
 * Does the work while a containerd of its own runs on this host, beside any other. Its mounts are in a namespace of its
 * own, and it ends with this process.
 *
 * @param work is given the socket
 */
export async function withPrivateContainerd<T>(
  { program, root, purpose }: PrivateContainerd,
  work: (socket: string) => Promise<T>,
): Promise<T> {
  // Short, because it holds a socket, whose path may have at most 107 characters.
  const folder = await mkdtemp(join(tmpdir(), 'kops-images-'));
  const [socket, config] = [join(folder, 'containerd.sock'), join(folder, 'config.toml')];
  try {
    await mkdir(root, { recursive: true });
    await writeFile(config, CONFIG);
    const args = ['--config', config, '--root', root, '--state', join(folder, 'state'), '--address', socket];
    return await whileRunning(program, args, purpose, () => work(socket));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function whileRunning<T>(
  program: string,
  args: readonly string[],
  purpose: string,
  work: () => Promise<T>,
): Promise<T> {
  // A user other than root may mount things only in a user namespace.
  const asRoot = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  const within = ['--pdeathsig', 'KILL', 'unshare', ...asRoot, '--mount', '--propagation', 'private'];
  const running = execa('setpriv', [...within, program, ...args], { stdin: 'ignore', reject: false });
  const said: string[] = [];
  const { promise: booted, resolve } = Promise.withResolvers<'booted'>();
  running.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.push(text);
    if (said.join('').includes('containerd successfully booted')) resolve('booted');
  });
  const late = AbortSignal.timeout(STARTS_WITHIN_MS);
  const tooLate = new Promise<'late'>((tell) => late.addEventListener('abort', () => tell('late'), { once: true }));
  try {
    const state = await Promise.race([booted, running.then(() => 'ended' as const), tooLate]);
    if (state !== 'booted') throw notStarted(purpose, state, said.join(''));
    return await work();
  } finally {
    running.kill('SIGTERM');
    await running;
  }
}

function notStarted(purpose: string, state: 'late' | 'ended', said: string): ActionableError {
  const how = state === 'late' ? `it did not start within ${STARTS_WITHIN_MS / 1000} s` : 'it ended';
  return new ActionableError({
    what: `start containerd to ${purpose}`,
    why: `${how}; its last output:\n${said.trim().split('\n').slice(-5).join('\n')}`,
    next: 'see its messages, then run the command again',
  });
}
