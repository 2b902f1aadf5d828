import type { NodePart } from '@kopsctl/node-cloud/node-part.ts';
import { localIdentity, localVerifier } from './identity.ts';
import { createLocalNodeCloud } from './local-node-cloud.ts';

/** What runs on local machines. */
export const localNode: NodePart = {
  openCloud: () => createLocalNodeCloud(),
  openIdentity: () => localIdentity(),
  openVerifier: (options) => localVerifier(options),
};
