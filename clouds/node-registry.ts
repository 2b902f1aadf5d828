import type { NodePart } from '@kopsctl/node-cloud/node-part.ts';

/** Every cloud that machines run in, a line each. Only the code of a machine's own cloud is loaded. */
export const NODE_PARTS: Readonly<Record<string, () => Promise<NodePart>>> = {
  aws: async () => (await import('./aws/node/node-part.ts')).awsNode,
  gce: async () => (await import('./gce/node/node-part.ts')).gceNode,
  local: async () => (await import('./local/node/node-part.ts')).localNode,
  metal: async () => (await import('./metal/node/node-part.ts')).metalNode,
};
