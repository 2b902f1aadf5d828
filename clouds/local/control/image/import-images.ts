import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fullImageName } from '@kopsctl/spec/image-reference.ts';
import { withPrivateContainerd } from '@kopsctl/assets/private-containerd.ts';
import { imageCommand, PIN } from '@kopsctl/node-handlers/containerd-images.ts';
import { run } from '../processes/run.ts';
import type { ContainerImages } from './wanted-images.ts';

/** Runs containerd on this host, with `root` as its only storage, until it has imported and pinned the images. */
export async function importImages(
  root: string,
  { assetsDir, containerd, images }: ContainerImages,
  signal?: AbortSignal,
): Promise<void> {
  const bin = await mkdtemp(join(tmpdir(), 'kops-containerd-'));
  try {
    const archive = join(assetsDir, containerd.file);
    await run('unpack containerd', 'tar', ['-xf', archive, '-C', bin, '--strip-components=1'], { signal });
    const own = { program: join(bin, 'containerd'), root, purpose: 'import container images' };
    await withPrivateContainerd(own, async (socket) => {
      const ctr = async (what: string, args: readonly string[]): Promise<void> => {
        await run(what, join(bin, 'ctr'), [...imageCommand(socket), ...args], { signal });
      };
      for (const { file, image } of images) await ctr(`import the image ${image}`, ['import', join(assetsDir, file)]);
      // At the end, because importing another image with the same content takes the label away.
      for (const { image } of images) await ctr(`pin the image ${image}`, ['label', fullImageName(image), PIN]);
    });
  } finally {
    await rm(bin, { recursive: true, force: true });
  }
}
