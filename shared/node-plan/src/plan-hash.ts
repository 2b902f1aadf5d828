import { createHash } from 'node:crypto';

/** Hex SHA-256 of a plan's bytes: its name, and what the user-data pins. */
export function planHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The folders of plans: those of workers are in one of their own, which is all that workers may read. */
export const WORKER_PLANS = 'worker-plans';
export const OTHER_PLANS = 'node-plans';
export type PlanFolder = typeof WORKER_PLANS | typeof OTHER_PLANS;

/** The path of a plan, relative to the state store's root. */
export function planPath(cluster: string, folder: PlanFolder, hash: string): string {
  return `${cluster}/${folder}/${hash}.json`;
}
