import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fullImageName } from '@kopsctl/assets/full-image-name.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { NAMESPACE, PIN } from '@kopsctl/node-handlers/containerd-images.ts';
import { execa } from 'execa';
import { run } from '../processes/run.ts';
import type { ContainerImages } from './wanted-images.ts';

/** Images alone are wanted: without these plugins containerd neither waits for pods nor looks at the host's networks. */
const CONFIG = `version = 2
disabled_plugins = [
  "io.containerd.grpc.v1.cri",
  "io.containerd.cri.v1.images",
  "io.containerd.cri.v1.runtime",
  "io.containerd.nri.v1.nri",
  "io.containerd.podsandbox.controller.v1.podsandbox",
  "io.containerd.sandbox.controller.v1.shim",
]
`;

/** It starts in a tenth of a second. */
const STARTS_WITHIN_MS = 30_000;

/** Runs containerd on this host, with `root` as its only storage, until it has imported and pinned the images. */
export async function importImages(
  root: string,
  { assetsDir, containerd, images }: ContainerImages,
  signal?: AbortSignal,
): Promise<void> {
  // Short, because a socket is in it, whose path may have 107 characters.
  const folder = await mkdtemp(join(tmpdir(), 'kops-images-'));
  const bin = join(folder, 'bin');
  const socket = join(folder, 'containerd.sock');
  const config = join(folder, 'config.toml');
  await mkdir(bin);
  try {
    const archive = join(assetsDir, containerd.file);
    await run('unpack containerd', 'tar', ['-xf', archive, '-C', bin, '--strip-components=1'], { signal });
    await writeFile(config, CONFIG);
    const paths = ['--config', config, '--root', root, '--state', join(folder, 'state'), '--address', socket];
    const ctr = async (what: string, args: readonly string[]): Promise<void> => {
      await run(what, join(bin, 'ctr'), ['--address', socket, ...NAMESPACE, 'images', ...args], { signal });
    };
    await withContainerd(join(bin, 'containerd'), paths, async () => {
      for (const { file, image } of images) await ctr(`import the image ${image}`, ['import', join(assetsDir, file)]);
      // At the end, because importing another image with the same content takes the label away.
      for (const { image } of images) await ctr(`pin the image ${image}`, ['label', fullImageName(image), PIN]);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Does the work while containerd runs. Its mounts are in a namespace of its own, and it ends with this process. */
async function withContainerd(program: string, args: readonly string[], work: () => Promise<void>): Promise<void> {
  const within = ['--pdeathsig', 'KILL', 'unshare', '--mount', '--propagation', 'private'];
  const process = execa('setpriv', [...within, program, ...args], { stdin: 'ignore', reject: false });
  const said: string[] = [];
  const { promise: booted, resolve } = Promise.withResolvers<'booted'>();
  process.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.push(text);
    if (said.join('').includes('containerd successfully booted')) resolve('booted');
  });
  const late = AbortSignal.timeout(STARTS_WITHIN_MS);
  const tooLate = new Promise<'late'>((tell) => late.addEventListener('abort', () => tell('late'), { once: true }));
  try {
    const state = await Promise.race([booted, process.then(() => 'ended' as const), tooLate]);
    if (state !== 'booted') throw notStarted(state, said.join(''));
    await work();
  } finally {
    process.kill('SIGTERM');
    await process;
  }
}

function notStarted(state: 'late' | 'ended', said: string): ActionableError {
  const how = state === 'late' ? `it did not start within ${STARTS_WITHIN_MS / 1000} s` : 'it ended';
  return new ActionableError({
    what: 'start containerd to import container images',
    why: `${how}; its last output:\n${said.trim().split('\n').slice(-5).join('\n')}`,
    next: 'see its messages, then run the command again',
  });
}
