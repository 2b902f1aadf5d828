import { kubernetesFacts } from '@kopsctl/spec/kubernetes-versions.ts';
import type { KubeletConfig } from '@kopsctl/spec/cluster.ts';
import { RETIRED_SETTINGS } from '@kopsctl/spec/retired-settings.ts';
import { kubelet } from '@kopsctl/spec/schema/kubelet.ts';
import { expect, it } from 'vitest';
import { partKubeletSettings } from './kubelet-configuration.ts';

const parted = (config: KubeletConfig, version = '1.36.3') =>
  partKubeletSettings(config, kubernetesFacts(version)?.missingKubeletFields ?? []);

it("gives each setting the place and the form that kubelet's file has for it", () => {
  const { file, flags } = parted({
    allowedUnsafeSysctls: ['net.*'],
    anonymousAuth: false,
    authenticationTokenWebhook: true,
    authenticationTokenWebhookCacheTtl: '1m0s',
    authorizationMode: 'Webhook',
    clientCaFile: '/srv/kubernetes/ca.crt',
    clusterDNS: '100.64.0.10,100.64.0.11',
    crashLoopBackOffMaxContainerRestartPeriod: '1m0s',
    enforceNodeAllocatable: 'pods,system-reserved',
    eventRecordQPS: 9,
    evictionHard: 'memory.available<100Mi, nodefs.available<10%',
    evictionSoft: '',
    evictionSoftGracePeriod: 'memory.available=1m30s',
    featureGates: { NodeSwap: 'true', CPUManager: 'False' },
    kubeReserved: { cpu: '100m' },
    logFormat: 'json',
    memorySwapBehavior: 'LimitedSwap',
    podManifestPath: '/etc/kubernetes/manifests',
    readOnlyPort: 0,
    systemReserved: {},
    tlsCipherSuites: [],
    volumePluginDirectory: '/opt/volumes/',
  });
  expect(flags).toEqual({});
  expect(file).toEqual({
    allowedUnsafeSysctls: ['net.*'],
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true, cacheTTL: '1m0s' },
      x509: { clientCAFile: '/srv/kubernetes/ca.crt' },
    },
    authorization: { mode: 'Webhook' },
    clusterDNS: ['100.64.0.10', '100.64.0.11'],
    crashLoopBackOff: { maxContainerRestartPeriod: '1m0s' },
    enforceNodeAllocatable: ['pods', 'system-reserved'],
    eventRecordQPS: 9,
    evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '10%' },
    evictionSoftGracePeriod: { 'memory.available': '1m30s' },
    featureGates: { NodeSwap: true, CPUManager: false },
    kubeReserved: { cpu: '100m' },
    logging: { format: 'json' },
    memorySwap: { swapBehavior: 'LimitedSwap' },
    readOnlyPort: 0,
    staticPodPath: '/etc/kubernetes/manifests',
    volumePluginDir: '/opt/volumes/',
  });
});

it('takes eventQPS where eventRecordQPS is set too, as kops does', () => {
  expect(parted({ eventQPS: 1, eventRecordQPS: 2 }).file).toEqual({ eventRecordQPS: 1 });
  expect(parted({ eventRecordQPS: 2, eventQPS: 1 }).file).toEqual({ eventRecordQPS: 1 });
});

it('leaves to flags what the file of an older kubelet does not have', () => {
  expect(parted({ registerNode: false }, '1.22.17')).toEqual({ file: {}, flags: { registerNode: false } });
  expect(parted({ registerNode: false }, '1.23.0')).toEqual({ file: { registerNode: false }, flags: {} });
});

it('leaves to flags only what has no field', () => {
  const every = Object.keys(kubelet.fields).filter((field) => !RETIRED_SETTINGS.kubelet.some((one) => one === field));
  const { flags } = partKubeletSettings(Object.fromEntries(every.map((field) => [field, 'x'])), []);
  expect(Object.keys(flags).toSorted()).toEqual([
    'bootstrapKubeconfig',
    'cloudProvider',
    'experimentalAllocatableIgnoreEviction',
    'hostnameOverride',
    'housekeepingInterval',
    'imagePullProgressDeadline',
    'kubeconfigPath',
    'logLevel',
    'networkPluginMTU',
    'networkPluginName',
    'nodeLabels',
    'nonMasqueradeCIDR',
    'podInfraContainerImage',
    'registerSchedulable',
    'rootDir',
    'runtimeCgroups',
    'seccompProfileRoot',
    'taints',
  ]);
});
