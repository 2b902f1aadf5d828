import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';

import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';

import { pullImage, resolveImage } from './pull-image.ts';
import { NotProvided } from './recipe.ts';
import type { Arch, Recipe } from './recipe.ts';
import { registryOf } from './registries.ts';
import type { Registries } from './registries.ts';
import { rememberTaken, wasTaken } from './taken-before.ts';

/** Part of the key in the cache: to be incremented when the way of pulling changes the archive. */
const REVISION = '2';

/** The containerd that pulls. */
const PULLER = 'programs/containerd-2';

/** An image as its project publishes it. */
export interface PublishedImage {
  /** The recipe's name. */
  readonly thing: string;
  /** In the index, after `image/`. */
  readonly name: string;
  readonly version: string;
  readonly reference: string;
  /** The programs that it is used together with, in the same version only. */
  readonly sameVersionAs?: string;
}

/** The archive of an image, by its name and version. */
export const archiveName = (name: string, version: string, arch: Arch): string =>
  `${name}-v${version}-linux-${arch}.tar`;

/** An image pulled from its own registry. */
export function fromRegistry(
  { thing, name, version, reference, sameVersionAs }: PublishedImage,
  arch: Arch,
  { digestOf, hostsDir }: Registries,
): Recipe {
  const wanted = digestOf(reference);
  const registry = registryOf(reference);
  const revision = [REVISION, arch, reference, wanted ?? ''].join('\n');
  return {
    thing,
    version,
    from: registry,
    packages: [],
    tools: [PULLER],
    ...(sameVersionAs === undefined ? {} : { sameVersionAs }),
    revision,
    async make({ dir, cacheDir, need, log }) {
      const puller = { bin: need(PULLER).dir, hostsDir, log };
      const digest = await resolveImage(puller, reference).catch((error: unknown) => {
        throw new NotProvided(`${registry} does not provide it: ${messageOf(error)}`, { cause: error });
      });
      if (wanted !== undefined && digest !== wanted) throw otherDigest(reference, digest, wanted);
      const served = { what: `pull the image ${reference}`, name: reference, hash: digest };
      const isKnown = wanted !== undefined || (await wasTaken(cacheDir, served));
      if (!isKnown) log(`${reference} is ${digest}, which is not in the table of digests`);
      const file = archiveName(name, version, arch);
      // Named, like the result in the cache, by all that goes into it, so the lock of one is the lock of the other.
      const root = path.join(cacheDir, 'downloads', `image-${shortHash(`${revision}\n${digest}`)}`);
      await pullImage(puller, { reference, digest, platform: `linux/${arch}`, root, archive: path.join(dir, file) });
      await rm(root, { recursive: true });
      if (!isKnown) await rememberTaken(cacheDir, served);
      return [{ name: `image/${name}`, version, file, image: reference, digest }];
    },
  };
}

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

function otherDigest(reference: string, found: string, wanted: string): ActionableError {
  return new ActionableError({
    what: `pull the image ${reference}`,
    why: `its registry has ${found}, but ${wanted} is in the table of this release`,
    next: 'if this persists, something on the way alters images, or the image was published again under the same tag',
  });
}
