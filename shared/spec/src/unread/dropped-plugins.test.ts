import { expect, test } from 'vitest';
import type { ClusterSpec } from '../cluster.ts';
import { droppedPlugins } from './dropped-plugins.ts';

const told = (kubeAPIServer: ClusterSpec['kubeAPIServer'], version: string) =>
  droppedPlugins(
    { apiVersion: '', kind: 'Cluster', metadata: { name: 'a.b' }, spec: kubeAPIServer ? { kubeAPIServer } : {} },
    version,
  ).map(({ path, message }) => `${path}: ${message}`);

test('names admission plugins that a person enables and this Kubernetes no longer has', () => {
  const enableAdmissionPlugins = ['NodeRestriction', 'PersistentVolumeLabel'];
  expect(told({ enableAdmissionPlugins }, '1.36.3')).toEqual([
    'spec.kubeAPIServer.enableAdmissionPlugins[1]: Kubernetes 1.36.3 no longer has the admission plugin PersistentVolumeLabel',
  ]);
  expect(told({ enableAdmissionPlugins }, '1.30.4')).toEqual([]);
  expect(told(undefined, '1.36.3')).toEqual([]);
});

test('names admission plugins that a person enables and disables', () => {
  const appendAdmissionPlugins = ['AlwaysPullImages', 'EventRateLimit'];
  expect(told({ appendAdmissionPlugins, disableAdmissionPlugins: ['EventRateLimit'] }, '1.36.3')).toEqual([
    'spec.kubeAPIServer.appendAdmissionPlugins[1]: spec.kubeAPIServer.disableAdmissionPlugins disables EventRateLimit',
  ]);
});
