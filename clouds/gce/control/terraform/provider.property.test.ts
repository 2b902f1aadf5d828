import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { often } from '@kopsctl/test-suite/long.ts';
import type { TerraformKinds } from '@kopsctl/model/terraform/kind.ts';
import { resource } from '@kopsctl/model/terraform/resource.ts';
import { faultsOf } from '@kopsctl/model/terraform/testdata/check-resource.ts';
import type { ProviderSchema } from '@kopsctl/model/terraform/testdata/provider-schema.ts';
import { renderedResources } from '@kopsctl/model/terraform/testdata/rendered-resources.ts';
import { gceTasks, type Wish } from '../testdata/gce-tasks.ts';
import { gceTerraformKinds } from './gce-terraform.ts';

const schema: ProviderSchema = JSON.parse(
  readFileSync(new URL('testdata/google-provider.json', import.meta.url), 'utf8'),
);
const kinds: TerraformKinds = gceTerraformKinds('p');

const zones = fc.uniqueArray(fc.constantFrom('us-east1-b', 'us-east1-c', 'us-east1-d'), { minLength: 1 });
const wishes: fc.Arbitrary<Wish> = fc
  .record({
    name: fc.constantFrom('demo.example.com', 'demo.k8s.local', `${'long-name-of-a-cluster.'.repeat(3)}example.com`),
    networking: fc.constantFrom(
      { cni: {} },
      { kubenet: {} },
      { gce: {} },
      { calico: {} },
      { cilium: {} },
      { kindnet: {} },
    ),
    type: fc.constantFrom('Public', 'Private'),
    dns: fc.constantFrom('Public', 'Private', 'None'),
    balancer: fc.constantFrom(undefined, 'Public', 'Internal'),
    networkID: fc.constantFrom(undefined, 'net', 'host/net'),
    bucket: fc.boolean(),
    stateKey: fc.constantFrom(undefined, 'projects/p/locations/l/keyRings/r/cryptoKeys/k', 'none'),
    account: fc.constantFrom(undefined, 'default'),
    discoveryStore: fc.constantFrom(undefined, 'gs://issuer/demo'),
    bastion: fc.boolean(),
    apiServers: fc.boolean(),
    node: fc.record(
      {
        zones,
        minSize: fc.nat(9),
        gcpProvisioningModel: fc.constantFrom('STANDARD', 'SPOT'),
        associatePublicIp: fc.boolean(),
        rootVolumeIops: fc.nat(9000),
        guestAccelerators: fc.constant([{ acceleratorType: 'nvidia-tesla-t4', acceleratorCount: 1 }]),
        machineType: fc.constantFrom('e2-medium', 't2a-standard-1', 'a2-highgpu-1g'),
        taints: fc.constant(['a=b:NoSchedule']),
      },
      { requiredKeys: ['zones'] },
    ),
  })
  .map(
    ({
      name,
      networking,
      type,
      dns,
      balancer,
      networkID,
      bucket,
      stateKey,
      account,
      discoveryStore,
      bastion,
      apiServers,
      node,
    }) => ({
      name,
      ...(stateKey !== undefined && { stateKey }),
      spec: {
        networking,
        ...(bucket && { configBase: `gs://bucket/folder/${name}` }),
        ...(networkID !== undefined && { networkID }),
        ...(account !== undefined && { cloudConfig: { gceServiceAccount: account } }),
        ...(discoveryStore !== undefined && { serviceAccountIssuerDiscovery: { discoveryStore } }),
        subnets: [
          {
            name: 'us-east1',
            region: 'us-east1',
            type,
            ...(networkID === 'host/net' ? { id: 'sub' } : {}),
            cidr: '10.9.0.0/20',
          },
        ],
        topology: { dns: { type: dns } },
        api: balancer === undefined ? { dns: {} } : { loadBalancer: { type: balancer } },
      },
      groups: {
        nodes: { role: 'Node' as const, ...node },
        ...(bastion && { bastions: { role: 'Bastion' as const, zones: ['us-east1-b'] } }),
        ...(apiServers && { 'apiserver-us-east1-b': { role: 'APIServer' as const, zones: ['us-east1-b'] } }),
      },
    }),
  );

test(
  'every resource, block and argument is one that the provider knows, and none is missing',
  { timeout: 60_000 },
  () => {
    fc.assert(
      fc.property(wishes, (wish) => {
        const resources = renderedResources(kinds, gceTasks(wish));
        expect(resources.length).toBeGreaterThan(15);
        expect(resources.flatMap((one) => faultsOf(schema, one))).toEqual([]);
        // Two tasks with one address would be one resource.
        const addresses = resources.map(({ type, name }) => `${type}.${name}`);
        expect(new Set(addresses).size).toBe(addresses.length);
        // RFC 1035, which Google holds names to; templates get a suffix of 26 characters.
        const texts = (argument: string) =>
          resources
            // Objects of buckets have paths.
            .filter(({ type }) => type !== 'google_storage_bucket_object')
            .flatMap(({ body }) => (typeof body[argument] === 'string' ? [body[argument]] : []));
        expect(texts('name_prefix').filter((prefix) => !/^[a-z][-a-z0-9]{0,36}$/.test(prefix))).toEqual([]);
        expect(texts('name').filter((name) => !/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name))).toEqual([]);
      }),
      { numRuns: often(30, 200) },
    );
  },
);

test('ranges for pods in a subnet of others are asked for before anything is made', () => {
  const subnets = [{ name: 'us-east1', region: 'us-east1', type: 'Private', id: 'apps', cidr: '10.9.0.0/20' }];
  const spec = { networkID: 'host/net', subnets, podCIDR: '10.8.0.0/14', serviceClusterIPRange: '10.2.0.0/16' };
  const asked = (networking: object) =>
    renderedResources(kinds, gceTasks({ spec: { ...spec, networking } })).filter(({ mode }) => mode === 'data');
  expect(asked({ cilium: {} })).toEqual([]);
  const [subnet, ...others] = asked({ gce: {} });
  expect(others).toEqual([]);
  expect(subnet?.body).toMatchObject({ name: 'apps', project: 'host', region: 'us-east1' });
  const text = JSON.stringify(subnet?.body);
  expect(text).toContain('pods-demo-example-com=10.8.0.0/14,services-demo-example-com=10.2.0.0/16');
});

test.each([
  ['google_compute_disc', { name: 'a' }, 'no google_compute_disc'],
  ['google_compute_disk', {}, 'lacks name'],
  ['google_compute_disk', { name: 'a', sizes: 1 }, 'no argument sizes'],
  ['google_compute_disk', { name: 'a', size: '1' }, 'size is not a number'],
  ['google_compute_firewall', { name: 'a', network: 'n', allow: ['tcp'] }, 'allow is a block'],
])('the check finds a wrong %s %j', (type, body, message) => {
  expect(faultsOf(schema, resource(type, 'x', body)).join()).toContain(message);
});
