import type { NodePart } from '@kopsctl/node-cloud/node-part.ts';
import { localIdentity, localVerifier, localVerifierFacts } from './identity.ts';
import { createLocalNodeCloud } from './local-node-cloud.ts';

/** What runs on local machines. */
export const localNode: NodePart = {
  openCloud: () => createLocalNodeCloud(),
  openIdentity: () => localIdentity(),
  openVerifierFacts: () => localVerifierFacts(),
  openVerifier: (options) => localVerifier(options),
};
