import { createHash } from 'node:crypto';

/** Hex SHA-256 of a plan's bytes: its name, and what the user-data pins. */
export function planHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Where a plan lies, relative to the state store's root. */
export function planPath(cluster: string, hash: string): string {
  return `${cluster}/node-plans/${hash}.json`;
}
