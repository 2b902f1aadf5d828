import { gceModelCloud } from '@kopsctl/clouds/gce/control/model/model-cloud.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { describe, expect, test } from 'vitest';
import { clusterFacts } from '../cluster-facts.ts';
import { completedCluster } from '../testdata/clusters.ts';
import { zoneConfig } from './zone-config.ts';

const zoneOf = (spec: ClusterSpec) =>
  zoneConfig(clusterFacts(completedCluster({ spec }).cluster, 'memory://store', gceModelCloud));

describe('the zone of a cluster in GCE', () => {
  const gce = {
    cloudProvider: 'gce',
    project: 'acme',
    subnets: [{ name: 'a', region: 'us-east1', type: 'Public' }],
  } as const;

  test('is a public one of its project', () => {
    expect(zoneOf({ ...gce, topology: { dns: { type: 'Public' } } })).toMatchObject({
      zone: 'local.test',
      provider: { name: 'CloudDNS', project: 'acme', isPrivate: false },
    });
  });

  test('is private, and of another name, when the spec says so', () => {
    expect(zoneOf({ ...gce, dnsZone: 'inside', topology: { dns: { type: 'Private' } } })).toMatchObject({
      zone: 'inside',
      provider: { name: 'CloudDNS', project: 'acme', isPrivate: true },
    });
  });

  test('is none without names', () => {
    expect(zoneOf({ ...gce, topology: { dns: { type: 'None' } } })).toBeUndefined();
  });
});
