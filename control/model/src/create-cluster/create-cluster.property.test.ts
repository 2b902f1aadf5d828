import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { parseObjects } from '@kopsctl/spec/parse.ts';
import { printObjects } from '@kopsctl/spec/print.ts';
import { validateCluster } from '@kopsctl/spec/validate.ts';
import * as fc from 'fast-check';
import { often } from '@kopsctl/test-suite/long.ts';
import { expect, test } from 'vitest';
import { CLOUDS, specCloud } from '@kopsctl/clouds/control.ts';
import { OWN_FLAGS } from '@kopsctl/clouds/create-cluster-flags.ts';
import type { InferredCluster } from './cloud-creation.ts';
import { inferCluster } from './create-cluster.ts';
import type { CreateClusterFlags } from './flags.ts';
import { given } from './given.ts';
import type { OwnFlags } from './own-flags.ts';

/** Usually valid, sometimes not: with thirty random words, nearly every record would be rejected for one of them. */
const rarely = <T>(right: fc.Arbitrary<T>, wrong: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 60, arbitrary: right }, { weight: 1, arbitrary: wrong });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const oneOf = (...words: readonly string[]) =>
  maybe(rarely(fc.constantFrom(...words, ''), fc.constant('nonsense') as fc.Arbitrary<string>));
const listOf = (right: readonly string[], wrong: string) =>
  maybe(rarely(fc.subarray([...right]), fc.constant([wrong]) as fc.Arbitrary<string[]>));

/** Zones of clouds that do not accept every word; the others share a list. */
const ZONES: ReadonlyMap<string, readonly string[]> = new Map([
  ['aws', ['eu-west-1a', 'eu-west-1b', 'eu-west-1c']],
  ['azure', ['eastus-1', 'eastus-2']],
  ['gce', ['us-east1-b', 'us-east1-c']],
  ['local', []],
  ['openstack', ['nova', 'zone-2']],
]);

const NAMES = CLOUDS.map(({ name }) => name);

/** Words for flags that do not accept every word. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['apiLoadbalancerClass', 'network'],
  ['apiSslCertificate', 'arn:aws:acm:eu-west-1:000000000000:certificate/one'],
]);

/** Values for flags that only one cloud has; the others are to make nothing of them, or to refuse them. */
const ownFlagsOf = (cloud: string, declared: OwnFlags) =>
  fc.record(
    Object.fromEntries(
      Object.entries(declared).map(([name, { flags, path, onlyFor }]) => {
        const words = [WORDS.get(name) ?? 'word', ''];
        const [usual = '', rare = ''] = onlyFor === undefined || onlyFor === cloud ? words : words.toReversed();
        const values = flags.includes(' ') ? rarely(fc.constant(usual), fc.constant(rare)) : fc.boolean();
        return [name, values.map((value) => ({ value, path, ...given({ onlyFor }) }))];
      }),
    ),
    { requiredKeys: ['project'] },
  );

const place = fc.constantFrom(...NAMES).chain((cloud) => {
  const zones = ZONES.get(cloud) ?? ['zone-1'];
  return fc.record({
    cloud: rarely(fc.constant<string | undefined>(cloud), fc.constantFrom<string | undefined>(undefined, ...NAMES)),
    zones: rarely(fc.subarray<string>([...zones], { minLength: Math.min(1, zones.length) }), fc.constant<string[]>([])),
    controlPlaneZones: rarely(fc.constant<string[]>([]), fc.subarray<string>([...zones, 'elsewhere-1a'])),
  });
});

/** A type of disks, for clouds that do not accept every word. */
const DISKS: ReadonlyMap<string, string> = new Map([['gce', 'pd-ssd']]);

const machinesOf = (cloud: string) =>
  maybe(
    fc.record({
      count: rarely(fc.constantFrom(0, 1, 3, 5), fc.nat(9)),
      // Not t2: EC2 has no dedicated machines of it, which is told when the spec is checked.
      sizes: fc.subarray(['m5.large', 'm6g.large', 't3.small']),
      image: fc.constantFrom('', 'some-image'),
      volumeSizeGib: fc.nat(100),
      volumeType: fc.constantFrom('', DISKS.get(cloud) ?? 'gp3'),
      securityGroups: fc.subarray(['sg-1', 'sg-2']),
      tenancy: fc.constantFrom('', 'default', 'dedicated'),
    }),
  );

const cloudFlags = (cloud: string) =>
  fc.record({
    kubernetesFeatureGates: maybe(fc.subarray(['A', '+B', '-C'])),
    networkId: oneOf('vpc-1'),
    subnets: rarely(fc.constant<string[]>([]), fc.subarray(['subnet-1', 'subnet-2'])),
    utilitySubnets: rarely(fc.constant<string[]>([]), fc.subarray(['subnet-3', 'subnet-4'])),
    topology: oneOf('public', 'private'),
    dns: oneOf('public', 'private', 'none'),
    bastion: maybe(fc.boolean()),
    ipv6: rarely(fc.constant(false), fc.constant(true)),
    instanceManager: oneOf('karpenter', 'cloudgroups'),
    discoveryStore: rarely(fc.constant(''), fc.constant(cloud === 'gce' ? 'gs://public' : 's3://public')),
    cloudLabels: rarely(fc.constantFrom('', 'a=b,c=d'), fc.constant('a')),
    apiLoadbalancerType: oneOf('public', 'internal'),
    authorization: oneOf('RBAC', 'AlwaysAllow'),
    own: ownFlagsOf(cloud, OWN_FLAGS),
    image: rarely(fc.constant('i'), fc.constant('')),
    apiServer: machinesOf(cloud),
  });

const commonFlags = (cloud: string) =>
  fc.record({
    name: fc.constantFrom('demo.example.com', 'demo.k8s.local'),
    kubernetesVersion: oneOf('1.26.0', 'v1.35.0'),
    networking: oneOf(
      'cilium',
      'cilium-eni',
      'cilium-etcd',
      'calico',
      'flannel',
      'kindnet',
      'kubenet',
      'amazonvpc',
      'kube-router',
      'cni',
    ),
    networkCidr: listOf(['10.0.0.0/16', '10.1.0.0/16', '192.168.0.0/24'], 'x'),
    controlPlane: machinesOf(cloud),
    node: machinesOf(cloud),
    set: listOf(['spec.sshAccess=10.0.0.0/8', 'spec.networking.podCIDR=10.9.0.0/16'], 'spec.nope=1'),
    unset: listOf(['spec.iam', 'spec.networkCIDR', 'spec.topology.dns'], 'spec.subnets'),
  });

const flags = place
  .chain((where) => {
    const cloud = where.cloud ?? '';
    return fc.tuple(fc.constant(where), commonFlags(cloud), cloudFlags(cloud));
  })
  .map(([where, common, cloud]) => ({ ...where, ...common, ...(where.cloud === 'local' ? {} : cloud) }));

const withoutUndefined = (value: unknown): CreateClusterFlags =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the record above, less what is not given
  JSON.parse(JSON.stringify(value)) as CreateClusterFlags;

const RUNS = often(250, 5000);

test('Any combination of flags makes objects that can be stored and read back, or a single clear error', () => {
  let made = 0;
  fc.assert(
    fc.property(flags, (drawn) => {
      const asked = withoutUndefined(drawn);
      const outcome = infer(asked);
      if (outcome instanceof ActionableError)
        return !/undefined|\[object|NaN/.test(`${outcome.message}${outcome.next}`);
      made++;
      const { cluster, instanceGroups } = outcome;
      const { objects, errors } = parseObjects(printObjects([cluster, ...instanceGroups]), 'spec.yaml');
      expect(errors).toEqual([]);
      expect(objects.map(({ value }) => value)).toEqual([cluster, ...instanceGroups]);
      expect(faultsOfOurs(asked, outcome)).toEqual([]);
      return true;
    }),
    { numRuns: RUNS },
  );
  // About a fifth of the combinations makes one. Of 250, fewer than a twentieth never is chance.
  expect(made).toBeGreaterThan(RUNS / 20);
});

function infer(asked: CreateClusterFlags): InferredCluster | ActionableError {
  try {
    return inferCluster(asked, { stateStoreUrl: 's3://store' }, CLOUDS);
  } catch (error) {
    if (error instanceof ActionableError) return error;
    throw error;
  }
}

/** Values that users set or unset may be invalid. Everything that is inferred must be valid. */
function faultsOfOurs(asked: CreateClusterFlags, { cluster, instanceGroups }: InferredCluster): readonly string[] {
  if ((asked.set ?? []).length + (asked.unset ?? []).length > 0) return [];
  return validateCluster(cluster, instanceGroups, specCloud(cluster)).map(({ path, message }) => `${path} ${message}`);
}
