import { expect, test } from 'vitest';
import { notesOnVariablesOfKops } from './variables-of-kops.ts';

test.each([
  [''],
  ['APIServerNodes,+ClusterAddons'],
  ['+TerraformManagedFiles,ImageDigest=true'],
  ['-AWSSingleNodesInstanceGroup'],
])('the feature flags %j change nothing that is missing here', (flags) => {
  expect(notesOnVariablesOfKops({ KOPS_FEATURE_FLAGS: flags })).toEqual([]);
});

test.each(['AWSSingleNodesInstanceGroup', '+awssinglenodesinstancegroup', 'AWSSingleNodesInstanceGroup=true'])(
  'of the feature flag %s it is told that it has no effect',
  (flag) => {
    expect(notesOnVariablesOfKops({ KOPS_FEATURE_FLAGS: `APIServerNodes, ${flag}` })).toEqual([
      expect.stringContaining('one group of workers for all zones'),
    ]);
  },
);

test.each([
  ['UseAddonOperators', 'operators'],
  ['GoogleCloudBucketAcl', 'bucket'],
  ['CacheNodeidentityInfo', 'kops-controller'],
  ['EnableSeparateConfigBase', '--config-base'],
  ['DiscoveryService', '--discovery-service'],
])('of the feature flag %s it is told what it does in kops', (flag, what) => {
  expect(notesOnVariablesOfKops({ KOPS_FEATURE_FLAGS: flag })).toEqual([expect.stringContaining(what)]);
  expect(notesOnVariablesOfKops({ KOPS_FEATURE_FLAGS: `-${flag}` })).toEqual([]);
});

test('a flag that is switched off, and the size of keys, are named as well', () => {
  expect(notesOnVariablesOfKops({ KOPS_FEATURE_FLAGS: '-ImageDigest', KOPS_RSA_PRIVATE_KEY_SIZE: '4096' })).toEqual([
    expect.stringContaining('-ImageDigest has no effect'),
    'KOPS_RSA_PRIVATE_KEY_SIZE=4096 has no effect in kopsctl',
  ]);
});
