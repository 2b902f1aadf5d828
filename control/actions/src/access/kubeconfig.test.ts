import { expect, test } from 'vitest';
import { withCluster, withoutCluster } from './kubeconfig.ts';

const credentials = { caPem: 'ca', certificatePem: 'cert', privateKeyPem: 'key' };

test('a cluster is added beside what is there and becomes the current context', () => {
  const before = {
    apiVersion: 'v1',
    kind: 'Config',
    preferences: {},
    clusters: [{ name: 'other' }],
    'current-context': 'other',
  } as const;
  const after = withCluster(before, 'demo.example.com', { server: 'https://127.0.0.1:6443' }, credentials);
  expect(after.clusters?.map(({ name }) => name)).toEqual(['other', 'demo.example.com']);
  expect(after['current-context']).toBe('demo.example.com');
  expect(after['preferences']).toEqual({});
});

test('adding a cluster again replaces its entries', () => {
  const once = withCluster(undefined, 'demo.example.com', { server: 'https://127.0.0.1:1' }, credentials);
  const twice = withCluster(once, 'demo.example.com', { server: 'https://127.0.0.1:2' }, credentials);
  expect(twice.clusters).toHaveLength(1);
  expect(twice.clusters?.[0]).toMatchObject({ cluster: { server: 'https://127.0.0.1:2' } });
});

test('removing a cluster leaves the others and clears the current context', () => {
  const both = withCluster(
    withCluster(undefined, 'a.example.com', { server: 's' }, credentials),
    'b.example.com',
    { server: 's' },
    credentials,
  );
  const left = withoutCluster(both, 'b.example.com');
  expect(left.users?.map(({ name }) => name)).toEqual(['a.example.com']);
  expect(left['current-context']).toBe('');
});

test('a server that is called by another name than its own is checked by its own', () => {
  const address = { server: 'https://lb.example.net', tlsServerName: 'api.internal.a.k8s.local' };
  expect(withCluster(undefined, 'a.k8s.local', address, credentials).clusters).toMatchObject([
    { cluster: { server: 'https://lb.example.net', 'tls-server-name': 'api.internal.a.k8s.local' } },
  ]);
});
