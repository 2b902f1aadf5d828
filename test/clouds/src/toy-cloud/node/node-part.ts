import type { NodePart } from '@kopsctl/node-cloud/node-part.ts';
import { createToyNodeCloud } from './toy-node-cloud.ts';
import { openToyService } from './toy-things.ts';

/** The toy cloud, as its machines know it. Their environment says where the cloud is and which machine they are. */
export const toyNode: NodePart = {
  openCloud: ({ cluster, env }) =>
    createToyNodeCloud(openToyService(env['TOY_CLOUD'] ?? ''), cluster, env['TOY_INSTANCE'] ?? ''),
};
