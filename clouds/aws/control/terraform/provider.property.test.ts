import { readFileSync } from 'node:fs';
import type { TerraformKinds } from '@kopsctl/model/terraform/kind.ts';
import { resource } from '@kopsctl/model/terraform/resource.ts';
import { faultsOf } from '@kopsctl/model/terraform/testdata/check-resource.ts';
import type { ProviderSchema } from '@kopsctl/model/terraform/testdata/provider-schema.ts';
import { renderedResources } from '@kopsctl/model/terraform/testdata/rendered-resources.ts';
import type { InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { clusters, machines } from '../model/testdata/cluster-wishes.ts';
import { made } from '../model/testdata/made-cluster.ts';
import { AWS_TERRAFORM } from './aws-terraform.ts';
import { filesInS3 } from './stored-file.ts';

const schema: ProviderSchema = JSON.parse(readFileSync(new URL('testdata/aws-provider.json', import.meta.url), 'utf8'));
const kinds: TerraformKinds = {
  ...AWS_TERRAFORM,
  ...filesInS3((path) => ({ bucket: 'state', key: `demo.example.com/${path}` })),
};

test('every resource, block and argument is one that the provider knows, and none is missing', () => {
  fc.assert(
    fc.property(clusters, machines, fc.boolean(), (cluster, nodes: InstanceGroupSpec, hasBastion) => {
      const bastions = hasBastion ? { bastions: { role: 'Bastion', subnets: ['utility-0'] } as const } : {};
      const resources = renderedResources(kinds, made(cluster, { nodes, ...bastions }).tasks);
      expect(resources.length).toBeGreaterThan(15);
      expect(resources.flatMap((one) => faultsOf(schema, one))).toEqual([]);
      // Two tasks with one address would be one resource. Groups may read the same image.
      const own = resources.filter(({ mode }) => mode === 'resource');
      const addresses = own.map(({ type, name }) => `${type}.${name}`);
      expect(new Set(addresses).size).toBe(addresses.length);
    }),
    { numRuns: 25 },
  );
});

test.each([
  ['aws_vcp', {}, 'no aws_vcp'],
  ['aws_ebs_volume', { size: 1 }, 'lacks availability_zone'],
  ['aws_ebs_volume', { availability_zone: 'a', sizes: 1 }, 'no argument sizes'],
  ['aws_ebs_volume', { availability_zone: 'a', size: '1' }, 'size is not a number'],
  ['aws_lb_target_group', { health_check: 'TCP' }, 'health_check is a block'],
])('the check finds a wrong %s %j', (type, body, message) => {
  expect(faultsOf(schema, resource(type, 'x', body)).join()).toContain(message);
});
