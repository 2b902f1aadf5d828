import type { Handler } from '@kopsctl/tasks/task.ts';
import type { LocalEnv } from './local-env.ts';
import { containerImagesHandler } from './container-images.ts';
import { machineHandler } from './machine.ts';
import { networkHandler } from './network.ts';
import { volumeHandler } from './volume.ts';

/** The kinds of the local cloud. */
export const localHandlers: readonly Handler<LocalEnv>[] = [
  networkHandler,
  containerImagesHandler,
  volumeHandler,
  machineHandler,
];
