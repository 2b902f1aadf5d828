import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { expect, test } from 'vitest';
import { GROUPS, awsFacts } from '../addons/testdata/aws-facts.ts';
import { nodeBoot } from '../group-boot.ts';
import { keysets } from '../store/keysets.ts';
import { publishedAssets } from '../assets/published-assets.ts';

const WITH_SERVICE: ClusterSpec = {
  serviceAccountIssuerDiscovery: { discoveryService: { url: 'https://discovery.example.com/universe/' } },
};

function tasksOf(role: string, spec: ClusterSpec) {
  const facts = awsFacts(spec);
  const group = GROUPS.find((one) => one.spec.role === role);
  if (group === undefined) throw new Error(role);
  const agents = { version: '0.1.0', baseUrl: 'https://releases.example.com' };
  const assets = publishedAssets(facts, group, { agents }, 'amd64');
  return nodeBoot(facts, group, { assets, sha256Of: () => '0'.repeat(64) }, []).nodeTasks;
}

const published = (role: string, spec: ClusterSpec) =>
  tasksOf(role, spec).find(({ kind }) => kind === 'DiscoveryEndpoint')?.props;

test('tokens of service accounts bear the name of the service at which control planes publish the keys', () => {
  expect(awsFacts(WITH_SERVICE).spec.kubeAPIServer).toMatchObject({
    serviceAccountIssuer: 'https://discovery.example.com/universe',
    serviceAccountJWKSURI: 'https://discovery.example.com/universe/openid/v1/jwks',
  });
  expect(published('Master', WITH_SERVICE)).toMatchObject({
    service: 'https://discovery.example.com/universe',
    name: '@{nodeName}',
  });
  expect(published('Node', WITH_SERVICE)).toBeUndefined();
  expect(published('Master', {})).toBeUndefined();
});

test('the service knows the cluster by a CA that no cluster without a service has', () => {
  const named = (spec: ClusterSpec) => keysets(awsFacts(spec)).map(({ name }) => name);
  expect(named(WITH_SERVICE)).toContain('discovery-ca');
  expect(named({})).not.toContain('discovery-ca');
});
