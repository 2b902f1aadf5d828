import type { ClusterRule } from '@kopsctl/spec/complete/rule.ts';

export const metalRules: readonly ClusterRule[] = [
  {
    name: 'default of enrolled machines',
    infer: ({ spec }) => ({
      topology: { dns: { type: 'Gossip' } },
      api: spec.api === undefined ? { dns: {} } : undefined,
    }),
  },
];
