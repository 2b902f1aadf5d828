import type { KindLifecycle } from '@kopsctl/model/lifecycle.ts';

/** What the kinds are called in `--lifecycle-overrides`, and the phase in which each is made. */
export const TOY_LIFECYCLES: readonly KindLifecycle[] = [
  { kind: 'toy/Network', kopsName: 'Network', phase: 'network' },
  { kind: 'toy/Volume', kopsName: 'Volume', phase: 'cluster' },
  { kind: 'toy/Machine', kopsName: 'Machine', phase: 'cluster' },
];
