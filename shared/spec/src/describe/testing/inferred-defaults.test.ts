import { expect, test } from 'vitest';
import { plainCloud } from '../../cloud.ts';
import { jsonSchema } from '../../json-schema.ts';
import { fieldDefaults, type NamedCloud } from './inferred-defaults.ts';
import { walkField } from '../walk-fields.ts';

const withDomain = (name: NamedCloud['name'], maxPods: number): NamedCloud => ({
  ...plainCloud(name),
  clusterRules: [{ name: 'of the cloud', infer: () => ({ kubelet: { maxPods } }) }],
});
const defaults = fieldDefaults('Cluster', [withDomain('aws', 110), withDomain('gce', 110)]);

test('defaults are what completion adds', () => {
  expect(defaults.get('spec.clusterDNSDomain')).toBe('cluster.local');
  expect(defaults.get('spec.kubelet.maxPods')).toBe(110);
});

test('what follows from the name, the number of machines or the cloud is not a default', () => {
  const following = ['spec.masterPublicName', 'spec.configBase', 'spec.kubeAPIServer.apiServerCount'];
  expect(following.filter((path) => defaults.has(path))).toEqual([]);
  const differing = fieldDefaults('Cluster', [withDomain('aws', 110), withDomain('gce', 250)]);
  expect(differing.has('spec.kubelet.maxPods')).toBe(false);
});

test('the JSON Schema of both versions and explain have the same default', () => {
  const inSchema = { properties: { spec: { properties: { clusterDNSDomain: { default: 'cluster.local' } } } } };
  expect(jsonSchema('Cluster', 'v1alpha2', defaults)).toMatchObject(inSchema);
  const inV1alpha3 = JSON.stringify(jsonSchema('Cluster', 'v1alpha3', defaults));
  expect(inV1alpha3).toContain('"default":"cluster.local"');
  expect(walkField('Cluster', 'spec.clusterDNSDomain', { defaults }).default).toBe('cluster.local');
});
