import { clusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { completedCluster } from '@kopsctl/model/testdata/clusters.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { expect, it } from 'vitest';
import { keyPair } from './key-pairs.ts';
import { awsModelCloud } from './model-cloud.ts';

const KEYS = ['aa11', 'bb22'].map((fingerprint) => ({ text: `ssh-ed25519 ${fingerprint}\n`, fingerprint }));

function pairOf(spec: Partial<ClusterSpec>, keys: number) {
  const { cluster } = completedCluster({ spec });
  return keyPair({ facts: clusterFacts(cluster, 's3://store', awsModelCloud) }, KEYS.slice(0, keys));
}

it('makes the key pair of the one key that is stored', () => {
  expect(pairOf({}, 0)).toEqual({ tasks: [] });
  expect(pairOf({}, 1).tasks).toMatchObject([{ name: 'kubernetes.demo.local.test-aa11' }]);
});

it('refuses to choose one of several keys, as kops does', () => {
  expect(() => pairOf({}, 2)).toThrow('its state store holds 2 SSH public keys');
});

it('looks at no key where the spec names a key pair, or wants none', () => {
  expect(pairOf({ sshKeyName: 'mine' }, 2)).toEqual({ tasks: [], name: 'mine' });
  expect(pairOf({ sshKeyName: '' }, 2)).toEqual({ tasks: [] });
});
