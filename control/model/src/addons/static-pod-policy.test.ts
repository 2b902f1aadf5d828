import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { filesOf } from '../testdata/planned-files.ts';
import { staticPodPolicy } from './static-pod-policy.ts';

const policies = JSON.stringify(staticPodPolicy('1.36.3'));

const manifests = (role: 'Master' | 'Node') =>
  [...filesOf('1.36.3', {}, 'aws', role)]
    .filter(([path]) => path.startsWith('/etc/kubernetes/manifests/'))
    .map(([, text]) => parse(text));

test('the policy knows every static pod that plans give machines, and its labels', () => {
  const [controlPlane, worker] = [manifests('Master'), manifests('Node')];
  expect(controlPlane.length).toBeGreaterThan(3);
  expect(worker.map(({ metadata }) => metadata.name)).toEqual(['kube-proxy']);
  for (const { metadata, spec } of [...controlPlane, ...worker]) {
    const { 'k8s-app': app, ...others } = metadata.labels;
    expect(metadata).toMatchObject({ name: app, namespace: 'kube-system' });
    expect(others).toEqual(app === 'kube-proxy' ? { tier: 'node' } : {});
    expect(policies).toContain(`'${app}'`);
    expect(spec.hostNetwork).toBe(true);
  }
});

test('there is no policy where Kubernetes has none', () => {
  expect(staticPodPolicy('1.29.14')).toEqual([]);
});
