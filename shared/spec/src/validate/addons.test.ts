import { specCloud } from '@kopsctl/clouds/control.ts';
import { expect, test } from 'vitest';
import type { ClusterSpec } from '../cluster.ts';
import { validateAddons } from './addons.ts';

function faults(spec: ClusterSpec): readonly string[] {
  const cluster = {
    apiVersion: '',
    kind: 'Cluster',
    metadata: { name: 'a.b' },
    spec: { cloudProvider: 'aws', ...spec },
  } as const;
  return [...validateAddons(cluster, specCloud(cluster))].map(
    ({ path, message }) => `${path.replace('spec.', '')} ${message}`,
  );
}

test.each<readonly [string, ClusterSpec, readonly string[]]>([
  [
    'channels that can be read',
    {
      addons: ['s3://b/c.yaml', 'https://a/c.yaml', 'file:///c.yaml', 'addons/c.yaml'].map((manifest) => ({
        manifest,
      })),
    },
    [],
  ],
  [
    'a channel over plain HTTP',
    { addons: [{ manifest: 'http://a/c.yaml' }] },
    ['addons[0].manifest http:// is not supported'],
  ],
  [
    'the name of a channel of kops',
    { addons: [{ manifest: 'kubernetes-dashboard' }] },
    ["addons[0].manifest 'kubernetes-dashboard' is not the location of a channel"],
  ],
  ['no channel', { addons: [{}] }, ['addons[0].manifest must be set']],
  [
    'certificates without cert-manager',
    { awsLoadBalancerController: { enabled: true }, metricsServer: { enabled: true, insecure: false } },
    [
      'awsLoadBalancerController.enabled needs certificates, which cert-manager makes',
      'metricsServer.insecure needs certificates, which cert-manager makes',
    ],
  ],
  [
    'certificates of cert-manager',
    { awsLoadBalancerController: { enabled: true }, certManager: { enabled: true, managed: false } },
    [],
  ],
  [
    'external-dns without a zone',
    { topology: { dns: { type: 'None' } }, externalDns: { provider: 'external-dns', watchNamespace: 'web' } },
    [
      "externalDns.watchNamespace only 'web' would be watched, but the objects with the names of the API are in kube-system",
      'externalDns.provider the cluster has no DNS zone that external-dns could write',
    ],
  ],
  [
    'external-dns with a zone',
    {
      topology: { dns: { type: 'Private' } },
      externalDns: { provider: 'external-dns', watchNamespace: 'kube-system' },
    },
    [],
  ],
  [
    'addons of AWS',
    { cloudProvider: 'gce', nodeTerminationHandler: { enabled: true } },
    ['nodeTerminationHandler.enabled there is no node termination handler for cloudProvider gce'],
  ],
  [
    'addons of GCE',
    { cloudConfig: { gcpPDCSIDriver: { enabled: true } } },
    ['cloudConfig.gcpPDCSIDriver.enabled there is no persistent disk driver for cloudProvider aws'],
  ],
  [
    'the storage driver of GCE on GCE',
    { cloudProvider: 'gce', cloudConfig: { gcpPDCSIDriver: { enabled: true } } },
    [],
  ],
])('rejects addons that cannot be installed: %s', (_, spec, expected) => {
  expect(faults(spec)).toEqual(expected);
});
