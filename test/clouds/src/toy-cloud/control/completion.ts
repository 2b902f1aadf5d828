import type { ClusterRule, InstanceGroupRule } from '@kopsctl/spec/complete/rule.ts';

const NAME = 'default of the toy cloud';

export const toyRules: readonly ClusterRule[] = [
  { name: NAME, infer: ({ spec }) => ({ networkCIDR: spec.networkID === undefined ? '10.9.0.0/16' : undefined }) },
];

export const toyGroupRules: readonly InstanceGroupRule[] = [
  { name: NAME, infer: () => ({ machineType: 'toy-small', image: 'toy-os' }) },
];
