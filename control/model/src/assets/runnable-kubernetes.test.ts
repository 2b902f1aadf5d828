import { localModelCloud } from '@kopsctl/clouds/local/control/model/model-cloud.ts';
import { describe, expect, test } from 'vitest';
import { buildNodePlan } from '../node/node-plan.ts';
import { runnableKubernetes } from './runnable-kubernetes.ts';
import { ASSETS, entry, kubernetesEntries } from '../testdata/asset-index.ts';
import { completedCluster } from '../testdata/clusters.ts';

const holding = (...versions: readonly string[]) => ({ assets: versions.flatMap(kubernetesEntries) });

describe('the Kubernetes that machines get from prepared assets', () => {
  test.each([
    ['1.34.4', ['1.34.4', '1.34.5'], '1.34.4'],
    ['1.34.9', ['1.34.4', '1.33.9', '1.34.7', '1.35.9'], '1.34.7'],
    // The newer of two that are equally near.
    ['1.34.5', ['1.34.4', '1.34.6'], '1.34.6'],
    ['v1.34.5', ['1.34.4'], '1.34.4'],
    // Another minor version is never taken: the lookup of its programs fails, and lists what there is.
    ['1.34.5', ['1.33.5', '1.35.5'], '1.34.5'],
    ['1.34.5', [], '1.34.5'],
    ['1.36.0-beta.1', ['1.36.0'], '1.36.0'],
  ])('%s, of which %j are held, is %s', (wanted, held, runs) => {
    expect(runnableKubernetes(wanted, holding(...held))).toBe(runs);
  });

  test('is only a version of which every program and image is held', () => {
    const [kubelet] = kubernetesEntries('1.34.8');
    const assets = [...holding('1.34.4').assets, ...(kubelet === undefined ? [] : [kubelet])];
    expect(runnableKubernetes('1.34.9', { assets })).toBe('1.34.4');
    expect(runnableKubernetes('1.34.9', { assets: [entry('image/kube-proxy', '1.34.9', 'p')] })).toBe('1.34.9');
  });
});

const plansOf = (kubernetesVersion: string) => {
  const { cluster, instanceGroups } = completedCluster({ spec: { kubernetesVersion } });
  const nodeStoreUrl = 'http://169.254.169.254/state';
  return instanceGroups.map((instanceGroup) =>
    buildNodePlan({ cloud: localModelCloud, cluster, instanceGroup, nodeStoreUrl }, ASSETS, ['http://assets']),
  );
};

test('plans of machines name the version that runs, and no other', () => {
  const plans = plansOf('1.28.15');
  expect(plans.map(({ kubernetesVersion }) => kubernetesVersion)).toEqual(['1.28.4', '1.28.4']);
  const text = JSON.stringify(plans);
  expect(text).toContain('kube-apiserver:v1.28.4');
  expect(text).not.toContain('1.28.15');
});
