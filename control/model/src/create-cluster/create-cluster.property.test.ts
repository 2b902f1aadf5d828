import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { parseObjects } from '@kopsctl/spec/parse.ts';
import { printObjects } from '@kopsctl/spec/print.ts';
import { validateCluster } from '@kopsctl/spec/validate.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { inferCluster, type InferredCluster } from './create-cluster.ts';
import { CLOUDS, type CreateClusterFlags } from './flags.ts';

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const oneOf = (...words: readonly string[]) => maybe(fc.constantFrom(...words, '', 'nonsense'));
const zones = fc.uniqueArray(
  fc.constantFrom('eu-west-1a', 'eu-west-1b', 'us-east1-b', 'us-east1-c', 'eastus-1', 'nova', 'fsn1'),
  { maxLength: 4 },
);
const machines = maybe(
  fc.record({
    count: fc.nat(7),
    sizes: fc.subarray(['m5.large', 'm6g.large', 't2.small']),
    image: fc.constantFrom('', 'some-image'),
    volumeSizeGib: fc.nat(100),
    volumeType: fc.constantFrom('', 'gp3'),
    securityGroups: fc.subarray(['sg-1', 'sg-2']),
    tenancy: fc.constantFrom('', 'default', 'dedicated'),
  }),
);

const flags = fc.record({
  name: fc.constantFrom('demo.example.com', 'demo.k8s.local'),
  cloud: maybe(fc.constantFrom(...CLOUDS)),
  zones: maybe(zones),
  controlPlaneZones: maybe(zones),
  kubernetesVersion: oneOf('1.26.0', 'v1.35.0', '1.3'),
  kubernetesFeatureGates: maybe(fc.subarray(['A', '+B', '-C'])),
  networking: oneOf('cilium', 'cilium-etcd', 'calico', 'kubenet', 'amazonvpc', 'gce', 'gcp-with-cilium', 'kube-router'),
  networkCidr: maybe(fc.subarray(['10.0.0.0/16', '10.1.0.0/16', '192.168.0.0/24', 'x'])),
  networkId: oneOf('vpc-1'),
  subnets: maybe(fc.subarray(['subnet-1', 'subnet-2'])),
  utilitySubnets: maybe(fc.subarray(['subnet-3', 'subnet-4'])),
  topology: oneOf('public', 'private'),
  dns: oneOf('public', 'private', 'none'),
  bastion: maybe(fc.boolean()),
  ipv6: maybe(fc.boolean()),
  instanceManager: oneOf('karpenter', 'cloudgroups'),
  discoveryStore: oneOf('s3://public'),
  cloudLabels: oneOf('a=b,c=d'),
  apiLoadbalancerType: oneOf('public', 'internal'),
  authorization: oneOf('RBAC', 'AlwaysAllow'),
  project: oneOf('p'),
  image: oneOf('i'),
  controlPlane: machines,
  node: machines,
  apiServer: machines,
  set: maybe(fc.subarray(['spec.sshAccess=10.0.0.0/8', 'spec.networking.podCIDR=10.9.0.0/16', 'spec.nope=1'])),
  unset: maybe(fc.subarray(['spec.iam', 'spec.subnets', 'spec.networkCIDR', 'spec.topology.dns'])),
});

const withoutUndefined = (value: unknown): CreateClusterFlags =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the record above, less what is not given
  JSON.parse(JSON.stringify(value)) as CreateClusterFlags;

test('Any combination of flags makes objects that can be stored and read back, or one clear error', () => {
  let made = 0;
  fc.assert(
    fc.property(flags, (drawn) => {
      const given = withoutUndefined(drawn);
      const outcome = infer(given);
      if (outcome instanceof ActionableError)
        return !/undefined|\[object|NaN/.test(`${outcome.message}${outcome.next}`);
      made++;
      const { cluster, instanceGroups } = outcome;
      const { objects, errors } = parseObjects(printObjects([cluster, ...instanceGroups]), 'spec.yaml');
      expect(errors).toEqual([]);
      expect(objects.map(({ value }) => value)).toEqual([cluster, ...instanceGroups]);
      expect(faultsOfOurs(given, outcome)).toEqual([]);
      return true;
    }),
    { numRuns: 3000 },
  );
  expect(made).toBeGreaterThan(100);
});

function infer(given: CreateClusterFlags): InferredCluster | ActionableError {
  try {
    return inferCluster(given, { stateStoreUrl: 's3://store' });
  } catch (error) {
    if (error instanceof ActionableError) return error;
    throw error;
  }
}

/** What a person sets or unsets themselves is theirs; all that is inferred has to be right. */
function faultsOfOurs(given: CreateClusterFlags, { cluster, instanceGroups }: InferredCluster): readonly string[] {
  if ((given.set ?? []).length + (given.unset ?? []).length > 0) return [];
  return validateCluster(cluster, instanceGroups).map(({ path, message }) => `${path} ${message}`);
}
