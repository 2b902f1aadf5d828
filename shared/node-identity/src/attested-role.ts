import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';

/** Whether machines of this role prove their identity to an authority. Control planes have the keys of the CAs. */
export const isAttestedRole = (role: NodeRole): boolean => role === 'Node' || role === 'APIServer';
