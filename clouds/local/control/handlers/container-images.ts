import type { Handler, Step } from '@kopsctl/tasks/task.ts';
import { type ContainerImages, containerImagesSchema } from '../image/wanted-images.ts';
import type { LocalEnv } from './local-env.ts';

/** The container images that machines start with. Clusters on this computer share them, so no cluster owns them. */
export const containerImagesHandler: Handler<LocalEnv, ContainerImages, string> = {
  kind: 'local/ContainerImages',

  parse: (props) => containerImagesSchema.parse(props),

  find: (_name, props, env) => env.local.findContainerImages(props),

  plan: (_name, { images }, actual): readonly Step[] =>
    actual === undefined
      ? [{ action: 'import', summary: `import ${images.length} container images that machines start with (once)` }]
      : [],

  async apply(_step, _name, props, env, signal) {
    await env.local.ensureContainerImages(props, signal);
  },

  outputs: (_name, _props, folder) => ({ folder }),
};
