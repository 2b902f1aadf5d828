import type { InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import { often } from '@kopsctl/test-suite/long.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cloudFormationTemplate } from '../cloudformation/template.ts';
import { clusters, machines } from './testdata/cluster-wishes.ts';
import { made } from './testdata/made-cluster.ts';

const HOLES = /\bundefined\b|\bNaN\b|\[object Object\]/;

test('nothing that JavaScript writes for what is not there gets into tasks, Terraform or CloudFormation', () => {
  fc.assert(
    fc.property(clusters, machines, fc.boolean(), (cluster, nodes: InstanceGroupSpec, hasBastion) => {
      const bastions = hasBastion ? { bastions: { role: 'Bastion', subnets: ['utility-0'] } as const } : {};
      const all = made(cluster, { nodes, ...bastions });
      expect(JSON.stringify(all.tasks)).not.toMatch(HOLES);
      expect(all.terraform()).not.toMatch(HOLES);
      expect(JSON.stringify(cloudFormationTemplate(all.tasks, () => true, 'demo'))).not.toMatch(HOLES);
    }),
    { numRuns: often(25, 500) },
  );
});
