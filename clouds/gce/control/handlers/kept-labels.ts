import type { Labels } from '../../node/labels.ts';

/** The labels that a task manages, of those that a resource has. Others are somebody else's. */
export const keptLabels = (wanted: Labels, found: Labels): Labels =>
  Object.fromEntries(Object.entries(found).filter(([name]) => name in wanted));
