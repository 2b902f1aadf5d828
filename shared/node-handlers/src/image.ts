import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Handler, Step } from '@kopsctl/tasks/task.ts';
import { z } from 'zod';
import { runCommand, tryCommand } from './command.ts';
import { fullName, NAMESPACE } from './containerd-images.ts';
import type { NodeEnv } from './node-env.ts';
import { ordered } from './ordered.ts';
import { notThisHost } from './running-host.ts';

const schema = z.strictObject({
  runtime: z.enum(['containerd', 'docker']),
  assetPath: z.string(),
  image: z.string(),
  ...ordered,
});
type Props = z.infer<typeof schema>;

interface FoundImage {
  readonly isComplete: boolean;
  /** Why there is no container runtime. */
  readonly refusal?: string;
}

/** An image in the container runtime's store, complete and unpacked. */
export const imageHandler: Handler<NodeEnv, Props, FoundImage> = {
  kind: 'Image',
  // The disk limits imports: three at once are slower than two.
  concurrency: 2,
  parse: (props) => schema.parse(props),

  async find(_name, props, env, signal) {
    const refusal = notThisHost(env);
    if (refusal !== undefined) return { isComplete: false, refusal };
    if (props.runtime === 'docker') {
      const { exitCode } = await tryCommand('docker', ['image', 'inspect', '--format', '{{.Id}}', props.image], signal);
      return exitCode === 0 ? { isComplete: true } : undefined;
    }
    if (!existsSync('/run/containerd/containerd.sock')) return undefined;
    return env.images.ask(fullName(props.image), signal);
  },

  plan(_name, props, actual): readonly Step[] {
    if (actual?.isComplete === true || actual?.refusal !== undefined) return [];
    return [
      {
        action: 'import',
        summary: `import the image ${props.image}${actual === undefined ? '' : ' again, it is not complete'}`,
      },
    ];
  },

  async apply(step, _name, props, env, signal) {
    const archive = join(env.root, props.assetPath);
    if (props.runtime === 'docker') await runCommand(step.summary, 'docker', ['load', '--input', archive], signal);
    else await runCommand(step.summary, 'ctr', [...NAMESPACE, 'images', 'import', archive], signal);
  },

  warnings: (_name, props, actual) =>
    actual?.refusal === undefined ? [] : [`the image ${props.image} is not imported: ${actual.refusal}`],
};
