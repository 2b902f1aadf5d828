import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fullImageName } from '@kopsctl/spec/image-reference.ts';
import type { Handler, Step } from '@kopsctl/tasks/task.ts';
import * as z from 'zod';
import { CONTAINERD_SOCKET } from '@kopsctl/spec/node-paths.ts';
import { assetFields, cachePath, downloadAsset, findAsset, forgetAsset, type WantedAsset } from './asset-place.ts';
import { runCommand, tryCommand } from './command.ts';
import { imageCommand, PIN } from './containerd-images.ts';
import type { NodeEnv } from './node-env.ts';
import { absolutePath, ordered } from './ordered.ts';
import { notThisHost } from './running-host.ts';

const schema = z.strictObject({
  runtime: z.enum(['containerd', 'docker']),
  ...assetFields,
  image: z.string(),
  /** Where containerd listens. */
  socket: absolutePath.default(CONTAINERD_SOCKET),
  ...ordered,
});
type Props = z.infer<typeof schema>;

interface FoundImage {
  readonly isComplete: boolean;
  /** kubelet must not delete it: there may be no registry to pull it from again. */
  readonly isPinned: boolean;
  /** Why there is no container runtime. */
  readonly refusal?: string;
}

/** An image in the container runtime's store: complete, unpacked, and kept there. */
export const imageHandler: Handler<NodeEnv, Props, FoundImage> = {
  kind: 'Image',
  // The disk limits imports: three at once are slower than two.
  concurrency: 2,
  parse: (props) => schema.parse(props),

  async find(_name, props, env, signal) {
    const refusal = notThisHost(env);
    if (refusal !== undefined) return { isComplete: false, isPinned: false, refusal };
    if (props.runtime === 'docker') {
      const { exitCode } = await tryCommand('docker', ['image', 'inspect', '--format', '{{.Id}}', props.image], signal);
      // Kubernetes with Docker knows no pinned images.
      return exitCode === 0 ? { isComplete: true, isPinned: true } : undefined;
    }
    if (!existsSync(props.socket)) return undefined;
    return env.images(props.socket).ask(fullImageName(props.image), signal);
  },

  plan(_name, props, actual): readonly Step[] {
    if (actual?.refusal !== undefined) return [];
    const again = actual?.isComplete === false ? ' again, as it is incomplete' : '';
    // An import removes the label.
    const pin = { action: 'pin', summary: `keep the image ${props.image} on a full disk` };
    if (actual?.isComplete === true) return actual.isPinned ? [] : [pin];
    const imported = { action: 'import', summary: `import the image ${props.image}${again}` };
    return props.runtime === 'docker' ? [imported] : [imported, pin];
  },

  async apply(step, _name, props, env, signal) {
    const ctr = imageCommand(props.socket);
    if (step.action === 'pin') {
      await runCommand(step.summary, 'ctr', [...ctr, 'label', fullImageName(props.image), PIN], signal);
      return;
    }
    const archive = await archiveOf(props, env, signal);
    if (props.runtime === 'docker') {
      await runCommand(step.summary, 'docker', ['load', '--input', archive], signal);
    } else {
      await runCommand(step.summary, 'ctr', [...ctr, 'import', archive], signal);
    }
    // The store has its own copy, and images are half of what a machine downloads.
    await forgetAsset(env.root, props);
  },

  warnings: (_name, props, actual) =>
    actual?.refusal === undefined ? [] : [`the image ${props.image} is not imported: ${actual.refusal}`],
};

/** The archive on this machine, downloaded if it is not there. */
async function archiveOf(asset: WantedAsset, env: NodeEnv, signal: AbortSignal): Promise<string> {
  const found = await findAsset(env, asset, signal);
  if (found?.sha256 === asset.sha256) return join(env.root, found.path);
  await downloadAsset(env, asset, signal);
  return join(env.root, cachePath(asset));
}
