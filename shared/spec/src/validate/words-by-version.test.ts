import { specCloud } from '@kopsctl/clouds/control.ts';
import { expect, test } from 'vitest';
import type { ClusterSpec } from '../cluster.ts';
import { formatFieldError } from '../field-error.ts';
import { parseObjects } from '../parse.ts';
import { validateCluster } from '../validate.ts';
import { validateWordsByVersion } from './words-by-version.ts';

const faults = (kubernetesVersion: string, spec: ClusterSpec): readonly string[] =>
  [...validateWordsByVersion({ kubernetesVersion, ...spec }, [])].map(({ path, message, hint }) =>
    [path.replace('spec.', ''), message, `(${hint})`].join(' '),
  );

test.each([
  ['1.25.16', 'userspace', []],
  ['1.26.0', 'userspace', ['does not know userspace; only versions below 1.26 know it (use iptables)']],
  ['1.28.15', 'nftables', ['does not know nftables; 1.29 is the first that knows it (use iptables)']],
  ['1.31.0', 'nftables', []],
  ['1.36.3', 'ipvs', []],
  ['1.20.2', 'iptables', []],
  ['1.36.3', '', []],
])('kube-proxy %s with the mode %j', (version, proxyMode, expected) => {
  const told = expected.map((one) => `kubeProxy.proxyMode Kubernetes ${version} ${one}`);
  expect(faults(version, { kubeProxy: { proxyMode } })).toEqual(told);
});

test.each([
  ['1.23.17', 'endpoints', undefined],
  ['1.24.0', 'endpoints', '1.24'],
  ['1.23.17', 'configmaps', undefined],
  ['1.24.0', 'configmaps', '1.24'],
  ['1.26.15', 'endpointsleases', undefined],
  ['1.27.0', 'endpointsleases', '1.27'],
  ['1.26.15', 'configmapsleases', undefined],
  ['1.36.3', 'configmapsleases', '1.27'],
  ['1.20.2', 'leases', undefined],
  ['1.36.3', 'leases', undefined],
  ['1.36.3', '', undefined],
])('leaders of Kubernetes %s with the lock %j', (version, leaderElectResourceLock, until) => {
  const leaderElection = { leaderElectResourceLock };
  const told = (section: string): readonly string[] =>
    until === undefined
      ? []
      : [
          `${section}.leaderElection.leaderElectResourceLock Kubernetes ${version} does not know ${leaderElectResourceLock}; only versions below ${until} know it (use leases)`,
        ];
  for (const section of ['kubeControllerManager', 'kubeScheduler', 'cloudControllerManager']) {
    expect(faults(version, { [section]: { leaderElection } })).toEqual(told(section));
    expect(faults(version, { [section]: { leaderElection: { ...leaderElection, leaderElect: false } } })).toEqual([]);
  }
});

test('kube-proxy needs a feature gate for nftables while that is off', () => {
  const of = (version: string, gate?: string) =>
    faults(version, {
      kubeProxy: { proxyMode: 'nftables', ...(gate !== undefined && { featureGates: { NFTablesProxyMode: gate } }) },
    });
  const refused = (version: string) => [
    `kubeProxy.proxyMode kube-proxy ${version} does not start with nftables while the feature gate NFTablesProxyMode is off (set NFTablesProxyMode: "true" in featureGates beside it, or use iptables)`,
  ];
  expect(of('1.30.14')).toEqual(refused('1.30.14'));
  expect(of('1.30.14', 'true')).toEqual([]);
  expect(of('1.31.0', 'false')).toEqual(refused('1.31.0'));
  expect(of('1.28.15', 'true')).toHaveLength(1);
});

test('what does not run, or is not known at all, is not looked at', () => {
  expect(faults('1.36.3', { kubeProxy: { enabled: false, proxyMode: 'userspace' } })).toEqual([]);
  expect(faults('1.20.2', { kubelet: { memorySwapBehavior: 'NoSwap' } })).toEqual([]);
});

test.each([
  ['1.29.15', 'UnlimitedSwap', []],
  ['1.30.0', 'UnlimitedSwap', ['does not know UnlimitedSwap; only versions below 1.30 know it (use LimitedSwap)']],
  ['1.29.15', 'NoSwap', ['does not know NoSwap; 1.30 is the first that knows it (remove this field)']],
  ['1.30.0', 'NoSwap', []],
  ['1.36.3', 'LimitedSwap', []],
])('kubelet %s with %s', (kubernetesVersion, memorySwapBehavior, expected) => {
  const kubelet = { memorySwapBehavior };
  const metadata = { name: 'nodes' };
  const group = { apiVersion: '', kind: 'InstanceGroup', metadata, spec: { kubelet } } as const;
  const found = [...validateWordsByVersion({ kubernetesVersion, kubelet, masterKubelet: kubelet }, [group])];
  const told = expected.map((one) => `Kubernetes ${kubernetesVersion} ${one}`);
  const places = told.length === 0 ? [] : ['spec.kubelet', 'spec.masterKubelet', 'nodes: spec.kubelet'];
  expect(
    found.map(({ instanceGroup, path, message, hint }) =>
      [...(instanceGroup === undefined ? [] : [`${instanceGroup}:`]), path, message, `(${hint})`].join(' '),
    ),
  ).toEqual(places.map((place) => `${place}.memorySwapBehavior ${told.join('')}`));
});

test('the line of a file is told, and a word that no version knows', () => {
  const told = (field: string, ...lines: readonly string[]): readonly string[] => {
    const text = `apiVersion: kops.k8s.io/v1alpha2\nkind: Cluster\nmetadata:\n  name: demo.example.com\nspec:\n  cloudProvider: aws\n  kubernetesVersion: 1.36.3\n${lines.join('\n')}\n`;
    const { objects } = parseObjects(text, 'demo.yaml');
    const [cluster] = objects.flatMap((object) => (object.kind === 'Cluster' ? [object.value] : []));
    const found = cluster === undefined ? [] : validateCluster(cluster, [], specCloud(cluster), objects);
    return found.map(formatFieldError).filter((one) => one.includes(field));
  };
  const mode = (word: string) => told('proxyMode', '  kubeProxy:', `    proxyMode: ${word}`);
  const lock = (word: string) =>
    told('ResourceLock', '  kubeScheduler:', '    leaderElection:', `      leaderElectResourceLock: ${word}`);
  expect(mode('userspace')).toEqual([
    'demo.yaml:9:5: spec.kubeProxy.proxyMode: Kubernetes 1.36.3 does not know userspace; only versions below 1.26 know it (use iptables)',
  ]);
  expect(lock('endpoints')).toEqual([
    'demo.yaml:10:7: spec.kubeScheduler.leaderElection.leaderElectResourceLock: Kubernetes 1.36.3 does not know endpoints; only versions below 1.24 know it (use leases)',
  ]);
  expect(lock('lease')).toEqual([
    "demo.yaml:10:7: spec.kubeScheduler.leaderElection.leaderElectResourceLock: expected one of configmaps, configmapsleases, endpoints, endpointsleases, leases, found 'lease' (did you mean leases?)",
  ]);
  expect(mode('IPVS')).toEqual([
    "demo.yaml:9:5: spec.kubeProxy.proxyMode: expected one of iptables, ipvs, nftables, userspace, found 'IPVS' (did you mean ipvs?)",
  ]);
});
