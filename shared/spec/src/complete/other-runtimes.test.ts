import { specCloud } from '@kopsctl/clouds/control.ts';
import { expect, test } from 'vitest';
import type { ContainerdConfig } from '../cluster.ts';
import { completeCluster } from '../complete.ts';

/** The settings of the cluster and of a group once they are complete, and which rules set something there. */
function completed(ofCluster: ContainerdConfig, ofGroup?: ContainerdConfig) {
  const cluster = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'Cluster',
    metadata: { name: 'demo.example.com' },
    spec: { cloudProvider: 'aws', kubernetesVersion: '1.36.3', containerd: ofCluster },
  } as const;
  const group = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'InstanceGroup',
    metadata: { name: 'nodes' },
    spec: { role: 'Node', ...(ofGroup && { containerd: ofGroup }) },
  } as const;
  const whole = completeCluster(
    { cluster, instanceGroups: [group] },
    { stateStoreUrl: 's3://state' },
    specCloud(cluster),
  );
  return {
    gvisor: whole.cluster.spec.containerd?.gvisor,
    nvidiaGPU: whole.cluster.spec.containerd?.nvidiaGPU,
    group: whole.instanceGroups[0]?.spec.containerd,
    origin: (path: string) => [whole.origins.cluster[path], whole.origins.instanceGroups['nodes']?.[path]],
  };
}

const ASKED = { gvisor: { enabled: true }, nvidiaGPU: { enabled: true } };
const WHOLE = {
  gvisor: { enabled: true, platform: 'systrap' },
  nvidiaGPU: {
    enabled: true,
    image: 'nvcr.io/nvidia/k8s-device-plugin:v0.17.3',
    package: 'nvidia-driver-535-server',
  },
};

test('the runtimes that a cluster asks for are described in full, and its groups have them from there', () => {
  const { gvisor, nvidiaGPU, group, origin } = completed(ASKED);
  expect({ gvisor, nvidiaGPU }).toEqual(WHOLE);
  expect(group).toBeUndefined();
  expect(origin('spec.containerd.gvisor.platform')).toEqual(['kops default of the runtime', undefined]);
});

test('those that only a group asks for are described there', () => {
  const { gvisor, nvidiaGPU, group, origin } = completed({}, ASKED);
  expect([gvisor, nvidiaGPU]).toEqual([undefined, undefined]);
  expect(group).toEqual(WHOLE);
  expect(origin('spec.containerd.nvidiaGPU.package')).toEqual([undefined, 'kops default of the runtime']);
});

test('what a person says wins, also where the cluster says it for a group that asks', () => {
  expect(completed({ gvisor: { enabled: true, platform: 'kvm' } }).gvisor?.platform).toBe('kvm');
  const { group } = completed({ gvisor: { platform: 'kvm' } }, { gvisor: { enabled: true } });
  expect(group).toEqual({ gvisor: { enabled: true } });
});

test('a runtime that nobody asks for is not described', () => {
  const { gvisor, nvidiaGPU } = completed({ gvisor: { enabled: false } });
  expect([gvisor, nvidiaGPU]).toEqual([{ enabled: false }, undefined]);
});
