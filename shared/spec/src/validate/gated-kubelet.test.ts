import { expect, test } from 'vitest';
import type { KubeletConfig } from '../cluster.ts';
import { validateGatedKubelet } from './gated-kubelet.ts';

const group = { apiVersion: '', kind: 'InstanceGroup', metadata: { name: 'nodes' }, spec: { role: 'Node' } } as const;

/** The paths that are refused where the cluster, and where the group has the setting. */
const refused = (kubernetesVersion: string, kubelet: KubeletConfig): readonly string[] => {
  const ofCluster = validateGatedKubelet({ kubernetesVersion, kubelet }, [group]);
  const ofGroup = validateGatedKubelet({ kubernetesVersion }, [{ ...group, spec: { ...group.spec, kubelet } }]);
  const [first, second] = [[...ofCluster], [...ofGroup]];
  expect(second).toEqual(first.map((one) => ({ ...one, instanceGroup: 'nodes' })));
  return first.map(({ path, message }) => `${path} ${message}`);
};

const withGate = (gate: string, isOn: boolean) => ({ featureGates: { [gate]: String(isOn) } });

test.each<readonly [KubeletConfig, string, string, string]>([
  [{ memorySwapBehavior: 'LimitedSwap' }, 'NodeSwap', '1.29.15', '1.30.0'],
  [{ imageMaximumGCAge: '24h' }, 'ImageMaximumGCAge', '1.29.15', '1.30.0'],
  [{ seccompDefault: true }, 'SeccompDefault', '1.24.17', '1.25.0'],
  [{ crashLoopBackOffMaxContainerRestartPeriod: '30s' }, 'KubeletCrashLoopBackOffMax', '1.34.4', '1.35.0'],
  [{ cpuCFSQuotaPeriod: '10ms' }, 'CustomCPUCFSQuotaPeriod', '1.35.7', '1.36.0'],
])(
  '%j is refused while %s is off, which it is by default up to %s, and from %s on is not',
  (kubelet, gate, last, first) => {
    const [field = ''] = Object.keys(kubelet);
    const fault = (version: string) =>
      `spec.kubelet.${field} kubelet ${version} does not start with it while the feature gate ${gate} is off`;
    expect(refused(last, kubelet)).toEqual([fault(last)]);
    expect(refused(last, { ...kubelet, ...withGate(gate, true) })).toEqual([]);
    expect(refused(first, kubelet)).toEqual([]);
    expect(refused(first, { ...kubelet, ...withGate(gate, false) })).toEqual([fault(first)]);
  },
);

test.each<KubeletConfig>([
  { seccompDefault: false },
  { memorySwapBehavior: '' },
  { imageMaximumGCAge: '0s' },
  { cpuCFSQuotaPeriod: '100ms' },
])('%j is what kubelet does anyway', (kubelet) => {
  expect(refused('1.24.17', kubelet)).toEqual([]);
  expect(refused('1.29.15', kubelet)).toEqual([]);
});

test('a setting that the version does not know is told elsewhere', () => {
  expect(refused('1.28.15', { imageMaximumGCAge: '24h' })).toEqual([]);
});
