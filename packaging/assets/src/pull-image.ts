import { createHash } from 'node:crypto';
import path from 'node:path';

import { fullImageName } from '@kopsctl/spec/image-reference.ts';
import { withPrivateContainerd } from '@kopsctl/assets/private-containerd.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { execa } from 'execa';

/** A stalled connection ends in a failure: the largest image here has 40 MB, so this allows for 25 kB/s. */
const LIMIT_MS = 30 * 60 * 1000;
/** The answer has a few kilobytes. */
const RESOLVE_LIMIT_MS = 60 * 1000;
/** A broken connection is resumed where it was, this often. */
const TRIES = 3;

/** How the images of a registry are asked for. */
export interface Puller {
  /** The folder with `containerd` and `ctr`. */
  readonly bin: string;
  /** See Registries. */
  readonly hostsDir?: string | undefined;
  readonly log: (line: string) => void;
}

/**
 * The digest of what a registry has under a tag: a manifest, or an index of those for several platforms.
 *
 * @throws Error whose message is the registry's refusal
 */
export async function resolveImage({ bin, hostsDir }: Puller, reference: string): Promise<string> {
  const asked = await execa(
    path.join(bin, 'ctr'),
    ['content', 'fetch-object', ...hosts(hostsDir), fullImageName(reference), 'manifest'],
    { encoding: 'buffer', stripFinalNewline: false, reject: false, stdin: 'ignore', timeout: RESOLVE_LIMIT_MS },
  );
  if (!asked.failed) return `sha256:${createHash('sha256').update(asked.stdout).digest('hex')}`;
  throw new Error(asked.timedOut ? `no answer in ${RESOLVE_LIMIT_MS / 1000} s` : lastWords(asked.stderr));
}

/** An image by the content that a registry has of it. */
export interface PulledImage {
  readonly reference: string;
  readonly digest: string;
  /** E.g. `linux/amd64`. */
  readonly platform: string;
  /** Keeps what was downloaded of an image that is not complete. */
  readonly root: string;
  /** Where the archive goes. */
  readonly archive: string;
}

/**
 * Downloads what one platform needs of an image and writes it as an archive that containerd and Docker import under the
 * image's own name. containerd verifies each part by its digest.
 */
export async function pullImage(puller: Puller, image: PulledImage): Promise<void> {
  const { bin, hostsDir, log } = puller;
  const { reference, digest, platform, root, archive } = image;
  const name = fullImageName(reference);
  const exact = `${name.slice(0, name.lastIndexOf(':'))}@${digest}`;
  const only = ['--platform', platform];
  const own = { program: path.join(bin, 'containerd'), root, purpose: `pull the image ${reference}` };
  await withPrivateContainerd(own, async (socket) => {
    const ctr = async (args: readonly string[]): Promise<void> => {
      await execa(path.join(bin, 'ctr'), ['--address', socket, ...args], { stdin: 'ignore', timeout: LIMIT_MS });
    };
    for (let turn = 1; ; turn++) {
      try {
        await ctr(['content', 'fetch', ...hosts(hostsDir), ...only, '--skip-metadata', exact]);
        break;
      } catch (error) {
        const why = reasonOf(error);
        if (turn === TRIES) throw brokenOff(reference, why, error);
        log(`${reference}: ${why}; continuing from where it stopped`);
      }
    }
    await ctr(['images', 'tag', '--force', exact, name]);
    // Not through containerd, which ctr does not wait for: the end of the archive may be missing (containerd 2.4).
    await ctr(['images', 'export', '--local', ...only, archive, name]);
  });
}

const hosts = (hostsDir: string | undefined): readonly string[] =>
  hostsDir === undefined ? [] : ['--hosts-dir', hostsDir];

function brokenOff(reference: string, why: string, cause: unknown): ActionableError {
  return new ActionableError({
    what: `pull the image ${reference}`,
    why,
    next: 'run the same command again: what was downloaded is kept',
    cause,
  });
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && 'stderr' in error && typeof error.stderr === 'string' && error.stderr !== '') {
    return lastWords(Buffer.from(error.stderr));
  }
  return messageOf(error);
}

/** ctr logs what it tries, and says at the end why it failed. */
function lastWords(stderr: Uint8Array): string {
  const lines = Buffer.from(stderr).toString('utf8').trim().split('\n');
  return (lines.at(-1) ?? '').replace(/^ctr: /, '');
}
