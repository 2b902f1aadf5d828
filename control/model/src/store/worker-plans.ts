import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { WORKER_PLANS_ANNOTATION } from '@kopsctl/spec/own-annotations.ts';

/** Whether workers have no right in the state store at all, and get their plans from authorities. */
export const givesPlansThroughAuthorities = ({ metadata }: Cluster): boolean =>
  metadata.annotations?.[WORKER_PLANS_ANNOTATION] === 'authority';
