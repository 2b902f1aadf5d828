import type { NodePart } from '@kopsctl/node-cloud/node-part.ts';
import { metalIdentity } from './metal-identity.ts';
import { createMetalNodeCloud } from './metal-node-cloud.ts';
import { metalVerifier, metalVerifierFacts } from './metal-verifier.ts';

/** What runs on machines that a person enrolled. */
export const metalNode: NodePart = {
  openCloud: ({ cluster, openStore }) => createMetalNodeCloud(cluster, openStore),
  openIdentity: () => metalIdentity(),
  openVerifierFacts: ({ cluster, openStore }) => metalVerifierFacts(cluster, openStore),
  openVerifier: ({ facts }) => metalVerifier(facts),
};
