import type { Handler } from '@kopsctl/tasks/task.ts';
import { machineHandler } from './machine.ts';
import { networkHandler } from './network.ts';
import type { ToyEnv } from './toy-env.ts';
import { volumeHandler } from './volume.ts';

/** The kinds of the toy cloud, in the order in which things depend on each other; they are removed in the opposite order. */
export const toyHandlers: readonly Handler<ToyEnv>[] = [networkHandler, volumeHandler, machineHandler];
