import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { filesOf } from '../testdata/planned-files.ts';

const settingsOf = (kubernetesVersion: string, spec: ClusterSpec = {}) =>
  parse(filesOf(kubernetesVersion, spec, 'local', 'Node').get('/var/lib/kubelet/kubelet.conf') ?? '');

test('kubelets of local machines start on version 1 of cgroups, where they would refuse it', () => {
  expect(settingsOf('1.36.3')).toMatchObject({ failCgroupV1: false });
  expect(settingsOf('1.31.0')).toMatchObject({ failCgroupV1: false });
  // Older kubelets run on both and do not know the field.
  expect(settingsOf('1.30.4')).not.toHaveProperty('failCgroupV1');
});

test('kubelets of local machines delete no image for want of space, unless a person says so', () => {
  const docker: ClusterSpec = { containerRuntime: 'docker' };
  expect(settingsOf('1.20.2', docker)).toMatchObject({ imageGCHighThresholdPercent: 100 });
  expect(settingsOf('1.36.3')).toMatchObject({ imageGCHighThresholdPercent: 100 });
  expect(settingsOf('1.36.3', { kubelet: { imageGCHighThresholdPercent: 90 } })).toMatchObject({
    imageGCHighThresholdPercent: 90,
  });
});
