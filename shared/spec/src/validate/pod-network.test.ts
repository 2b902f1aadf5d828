import { specCloud } from '@kopsctl/clouds/control.ts';
import { expect, test } from 'vitest';
import type { ClusterSpec } from '../cluster.ts';
import { validatePodNetwork } from './pod-network.ts';

function faults(spec: ClusterSpec): readonly string[] {
  const cluster = { apiVersion: '', kind: 'Cluster', metadata: { name: 'a.b' }, spec } as const;
  return [...validatePodNetwork(cluster, specCloud(cluster))].map(
    ({ path, message }) => `${path.replace('spec.networking', '')} ${message}`,
  );
}

test.each<readonly [string, ClusterSpec, readonly string[]]>([
  ['a supported network', { networking: { calico: {} } }, []],
  ['no network', { networking: {} }, [' names no pod network']],
  ['two networks', { networking: { calico: {}, cni: {} } }, [' names 2 pod networks: calico, cni']],
  [
    'the network of AWS in another cloud',
    { cloudProvider: 'gce', networking: { amazonvpc: {} } },
    [".amazonvpc gives pods addresses of the machines' network, which gce does not"],
  ],
])('rejects unsupported pod networks: %s', (_, spec, expected) => {
  expect(faults(spec)).toEqual(expected);
});
