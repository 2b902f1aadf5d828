import { expect, test } from 'vitest';
import type { ClusterSpec } from '../cluster.ts';
import { validateIssuerDiscovery } from './issuer-discovery.ts';

const messages = (serviceAccountIssuerDiscovery: NonNullable<ClusterSpec['serviceAccountIssuerDiscovery']>) => {
  const cluster = { apiVersion: '', kind: 'Cluster', metadata: { name: 'c.test' } } as const;
  return [...validateIssuerDiscovery({ ...cluster, spec: { serviceAccountIssuerDiscovery } })].map(
    ({ message }) => message,
  );
};

test('keys are published by a service that is reached by TLS, or in a store', () => {
  expect(messages({ discoveryService: { url: 'https://discovery.test/universe' } })).toEqual([]);
  expect(messages({ discoveryStore: 's3://keys/demo' })).toEqual([]);
  expect(messages({ discoveryService: { url: 'discovery.test' } })).toEqual(["'discovery.test' is not an https URL"]);
  expect(messages({ discoveryService: {} })).toEqual(["'' is not an https URL"]);
  expect(messages({ discoveryService: { url: 'https://discovery.test' }, discoveryStore: 's3://keys/demo' })).toEqual([
    'the keys are published in spec.serviceAccountIssuerDiscovery.discoveryStore',
  ]);
});
