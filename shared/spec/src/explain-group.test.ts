import { specCloud } from '@kopsctl/clouds/control.ts';
import { expect, test } from 'vitest';
import type { ClusterSpec } from './cluster.ts';
import { completeCluster } from './complete.ts';
import { explainOfGroup } from './explain-group.ts';
import type { InstanceGroupSpec } from './instance-group.ts';

/** What explain says of a value of a group: the value and its origin, of each value below the path. */
function told(path: string, own: InstanceGroupSpec, spec: ClusterSpec = {}): readonly string[] {
  const cluster = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'Cluster',
    metadata: { name: 'demo.example.com' },
    spec: { cloudProvider: 'aws', kubernetesVersion: '1.36.3', ...spec },
  } as const;
  const group = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'InstanceGroup',
    metadata: { name: 'a' },
    spec: own,
  } as const;
  const whole = completeCluster(
    { cluster, instanceGroups: [group] },
    { stateStoreUrl: 's3://state' },
    specCloud(cluster),
  );
  const [completed = group] = whole.instanceGroups;
  const explained = explainOfGroup(path, {
    cluster: {
      written: cluster,
      completed: whole.cluster,
      origins: whole.origins.cluster,
      withoutValue: whole.withoutValue.cluster,
    },
    group: {
      written: group,
      completed,
      origins: whole.origins.instanceGroups['a'] ?? {},
      withoutValue: whole.withoutValue.instanceGroups['a'] ?? {},
    },
  });
  return explained.map((one) => `${one.path} = ${JSON.stringify(one.value)}: ${one.origin}`);
}

const NODE = { role: 'Node' } as const;

test('a value that machines have from the cluster says so, and where the cluster has it from', () => {
  const spec = { kubelet: { maxPods: 40 }, updatePolicy: 'external', rollingUpdate: { maxSurge: 2 } };
  expect(told('spec.kubelet.maxPods', NODE, spec)).toEqual([
    'spec.kubelet.maxPods = 40: spec.kubelet.maxPods of the cluster: set by you',
  ]);
  expect(told('spec.kubelet.logLevel', NODE)).toEqual([
    'spec.kubelet.logLevel = 2: spec.kubelet.logLevel of the cluster: kops default of kubelet',
  ]);
  expect(told('spec.updatePolicy', NODE, spec)).toEqual([
    'spec.updatePolicy = "external": spec.updatePolicy of the cluster: set by you',
  ]);
  expect(told('spec.rollingUpdate', NODE, spec)).toEqual([
    'spec.rollingUpdate.maxSurge = 2: spec.rollingUpdate.maxSurge of the cluster: set by you',
  ]);
  expect(told('spec.containerd.gvisor.platform', NODE, { containerd: { gvisor: { enabled: true } } })).toEqual([
    'spec.containerd.gvisor.platform = "systrap": spec.containerd.gvisor.platform of the cluster: kops default of the runtime',
  ]);
});

test('control planes have theirs from masterKubelet, bastions from neither', () => {
  const spec = { kubelet: { maxPods: 40 }, masterKubelet: { maxPods: 20 } };
  expect(told('spec.kubelet.maxPods', { role: 'Master' }, spec)).toEqual([
    'spec.kubelet.maxPods = 20: spec.masterKubelet.maxPods of the cluster: set by you',
  ]);
  expect(told('spec.kubelet.maxPods', { role: 'Bastion' }, spec)).toEqual([
    'spec.kubelet.maxPods = undefined: not set, and no rule sets it',
  ]);
});

test("a group's own value wins, and stands beside those of the cluster", () => {
  const own = { ...NODE, kubelet: { maxPods: 30, featureGates: { B: 'true' } } };
  const spec = { kubelet: { maxPods: 40, featureGates: { A: 'true', B: 'false' } } };
  expect(told('spec.kubelet.maxPods', own, spec)).toEqual(['spec.kubelet.maxPods = 30: set by you']);
  expect(told('spec.kubelet.featureGates', own, spec)).toEqual([
    'spec.kubelet.featureGates.A = "true": spec.kubelet.featureGates.A of the cluster: set by you',
    'spec.kubelet.featureGates.B = "true": set by you',
  ]);
});

test('what decides where nobody says anything is told for groups too', () => {
  expect(told('spec.rollingUpdate.maxUnavailable', NODE)).toEqual([
    'spec.rollingUpdate.maxUnavailable = undefined: no value here: 1 where maxSurge is 0, otherwise 0',
  ]);
  expect(told('spec.updatePolicy', NODE)).toEqual([
    'spec.updatePolicy = undefined: no value here: the image of the machines decides',
  ]);
});

test('a value that each node has for itself is explained as that of the cluster is', () => {
  expect(told('spec.kubelet.hostnameOverride', NODE)).toEqual([
    "spec.kubelet.hostnameOverride = undefined: no value here: each node's own name",
  ]);
});

test('a label that a rule sets is not taken for one that a person set', () => {
  const own = { ...NODE, containerd: { gvisor: { enabled: true } } };
  expect(told('spec.nodeLabels', own)).toEqual([
    'spec.nodeLabels["kops.k8s.io/gvisor"] = "1": kops default of machines with gVisor',
  ]);
});
