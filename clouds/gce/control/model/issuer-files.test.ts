import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { expect, test } from 'vitest';
import { gceCompleted, gceTasks, propsOf } from '../testdata/gce-tasks.ts';

const published = (discoveryStore: string, more: ClusterSpec = {}): ClusterSpec => ({
  serviceAccountIssuerDiscovery: { discoveryStore },
  ...more,
});
const filesOf = (spec: ClusterSpec) => Object.values(propsOf(gceTasks({ spec }), 'gce/PublicFile'));
function discoveryDocument(spec: ClusterSpec): unknown {
  const [discovery] = filesOf(spec);
  return typeof discovery?.content === 'string' ? JSON.parse(discovery.content) : undefined;
}

test.each([
  ['gs://issuer/demo', 'https://storage.googleapis.com/issuer/demo'],
  ['gs://issuer/a/demo/', 'https://storage.googleapis.com/issuer/a/demo'],
  ['gs://issuer.example.com', 'https://storage.googleapis.com/issuer.example.com'],
])('tokens of a cluster that publishes in %s have the issuer %s, as in kops', (discoveryStore, issuer) => {
  const { kubeAPIServer } = gceCompleted({ spec: published(discoveryStore) }).cluster.spec;
  expect(kubeAPIServer).toMatchObject({
    serviceAccountIssuer: issuer,
    serviceAccountJWKSURI: `${issuer}/openid/v1/jwks`,
  });
  expect(discoveryDocument(published(discoveryStore))).toMatchObject({ issuer });
  // The address of an object is that of its bucket, and its name.
  const addresses = filesOf(published(discoveryStore)).map(
    ({ bucket, name }) => `https://storage.googleapis.com/${bucket}/${name}`,
  );
  expect(addresses).toEqual([`${issuer}/.well-known/openid-configuration`, `${issuer}/openid/v1/jwks`]);
});

test('everybody reads the documents where their issuer is the bucket, and not behind a server of the user', () => {
  const read = (spec: ClusterSpec) => filesOf(spec).map(({ isReadInPlace }) => isReadInPlace);
  expect(read(published('gs://issuer/demo'))).toEqual([true, true]);
  const own = published('gs://issuer/demo', { kubeAPIServer: { serviceAccountIssuer: 'https://issuer.example.com' } });
  expect(read(own)).toEqual([false, false]);
  expect(discoveryDocument(own)).toMatchObject({ issuer: 'https://issuer.example.com' });
});

test('a cluster without a discovery store publishes nothing', () => {
  expect(filesOf({})).toEqual([]);
  expect(gceCompleted().cluster.spec.kubeAPIServer?.serviceAccountIssuer).toBe('https://api.internal.demo.example.com');
});
