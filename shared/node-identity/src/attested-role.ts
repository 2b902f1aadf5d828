import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';

/** Whether machines of this role prove to an authority which ones they are. Control planes have the keys of the CAs. */
export const isAttestedRole = (role: NodeRole): boolean => role === 'Node' || role === 'APIServer';
