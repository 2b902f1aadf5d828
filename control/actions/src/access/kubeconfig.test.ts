import { expect, test } from 'vitest';
import { serverOf, withCluster, withoutCluster } from './kubeconfig.ts';

const credentials = { caPem: 'ca', certificatePem: 'cert', privateKeyPem: 'key' };
const admin = { kind: 'admin', credentials } as const;

test('a cluster is added beside what is there and becomes the current context', () => {
  const before = {
    apiVersion: 'v1',
    kind: 'Config',
    preferences: {},
    clusters: [{ name: 'other' }],
    'current-context': 'other',
  } as const;
  const after = withCluster(before, 'demo.example.com', { server: 'https://127.0.0.1:6443', caPem: 'ca' }, admin);
  expect(after.clusters?.map(({ name }) => name)).toEqual(['other', 'demo.example.com']);
  expect(after['current-context']).toBe('demo.example.com');
  expect(after['preferences']).toEqual({});
});

test('adding a cluster again replaces its entries', () => {
  const once = withCluster(undefined, 'demo.example.com', { server: 'https://127.0.0.1:1', caPem: 'ca' }, admin);
  const twice = withCluster(once, 'demo.example.com', { server: 'https://127.0.0.1:2', caPem: 'ca' }, admin);
  expect(twice.clusters).toHaveLength(1);
  expect(twice.clusters?.[0]).toMatchObject({ cluster: { server: 'https://127.0.0.1:2' } });
});

test('removing a cluster leaves the others and clears the current context', () => {
  const both = withCluster(
    withCluster(undefined, 'a.example.com', { server: 's', caPem: 'ca' }, admin),
    'b.example.com',
    { server: 's', caPem: 'ca' },
    admin,
  );
  const left = withoutCluster(both, 'b.example.com');
  expect(left.users?.map(({ name }) => name)).toEqual(['a.example.com']);
  expect(left['current-context']).toBe('');
});

test('a server that is called by another name than its own is checked by its own', () => {
  const address = { server: 'https://lb.example.net', tlsServerName: 'api.internal.a.k8s.local' };
  expect(withCluster(undefined, 'a.k8s.local', { ...address, caPem: 'ca' }, admin).clusters).toMatchObject([
    { cluster: { server: 'https://lb.example.net', 'tls-server-name': 'api.internal.a.k8s.local' } },
  ]);
});

test('a context can have a user that is there already, or a command that issues credentials', () => {
  const before = withCluster(undefined, 'a.example.com', { server: 's', caPem: 'ca' }, admin);
  const mine = { ...before, users: [...(before.users ?? []), { name: 'oidc', user: {} }] };
  const asUser = withCluster(mine, 'a.example.com', { server: 's', caPem: 'ca' }, { kind: 'existing', name: 'oidc' });
  expect(asUser.contexts).toEqual([{ name: 'a.example.com', context: { cluster: 'a.example.com', user: 'oidc' } }]);
  expect(asUser.users).toEqual(mine.users);
  const command = { kind: 'command', command: ['kopsctl', 'helpers'] } as const;
  const asked = withCluster(undefined, 'a.example.com', { server: 's', caPem: 'ca' }, command);
  expect(asked.users).toMatchObject([{ user: { exec: { command: 'kopsctl', args: ['helpers'] } } }]);
});

test('the server of a cluster is read back as it was written', () => {
  const address = { server: 'https://lb.example.net', tlsServerName: 'api.internal.a.k8s.local' };
  const config = withCluster(undefined, 'a.example.com', { ...address, caPem: 'ca' }, admin);
  expect(serverOf(config, 'a.example.com')).toEqual(address);
  expect(serverOf(config, 'b.example.com')).toBeUndefined();
});
