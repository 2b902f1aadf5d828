import semver from 'semver';
import { expect, it } from 'vitest';
import { etcdBefore, firstWith, isTooNew, kubernetesFacts } from './kubernetes-versions.ts';

it.each([
  ['v1.20.2', true, 'node-role.kubernetes.io/master', undefined, true],
  ['1.23.17', true, 'node-role.kubernetes.io/master', 'kubescheduler.config.k8s.io/v1beta2', false],
  ['1.24.0-rc.1', false, 'node-role.kubernetes.io/control-plane', 'kubescheduler.config.k8s.io/v1beta2', false],
  ['1.33.0', false, 'node-role.kubernetes.io/control-plane', 'kubescheduler.config.k8s.io/v1', false],
])('Kubernetes %s has the facts of its minor', (version, dockershim, taint, scheduler, plainPort) => {
  const facts = kubernetesFacts(version);
  expect(facts?.dockershim).toBe(dockershim);
  expect(facts?.controlPlaneTaint).toBe(taint);
  expect(facts?.schedulerConfigVersion).toBe(scheduler);
  expect(facts?.controllerManagerPlainPort).toBe(plainPort);
});

it.each([
  [
    '1.20.2',
    [
      'crashLoopBackOffMaxContainerRestartPeriod',
      'imageMaximumGCAge',
      'maxParallelImagePulls',
      'memorySwapBehavior',
      'seccompDefault',
    ],
    ['authenticationConfigFile', 'storageInitializationTimeout', 'strictTransportSecurityDirectives'],
  ],
  [
    '1.33.0',
    ['imagePullProgressDeadline', 'networkPluginMTU', 'networkPluginName', 'nonMasqueradeCIDR', 'seccompProfileRoot'],
    ['cloudProvider'],
  ],
])('Kubernetes %s does not know settings that came later or went before', (version, kubelet, kubeAPIServer) => {
  const unknown = kubernetesFacts(version)?.unknownSettings;
  expect(unknown?.kubelet.map(({ field }) => field)).toEqual(kubelet);
  expect(unknown?.kubeAPIServer.map(({ field }) => field)).toEqual(kubeAPIServer);
});

it.each([
  ['1.24.17', ['Initializers', 'PodPreset', 'DenyEscalatingExec', 'DenyExecOnPrivileged']],
  ['1.25.0', ['Initializers', 'PodPreset', 'DenyEscalatingExec', 'DenyExecOnPrivileged', 'PodSecurityPolicy']],
])('Kubernetes %s no longer has the admission plugins %o', (version, plugins) => {
  expect(kubernetesFacts(version)?.removedAdmissionPlugins.map(({ plugin }) => plugin)).toEqual(plugins);
});

it.each([
  ['1.36.0', false],
  ['1.36.99', false],
  ['v1.37.0', true],
  ['1.37.0-alpha.1', true],
  ['2.0.0', true],
  ['1.20.2', false],
])('whether Kubernetes %s is newer than the table is %s', (version, tooNew) => {
  expect(isTooNew(version)).toBe(tooNew);
});

it.each([
  ['1.33.13', '3.5.31'],
  ['1.36.3', '3.6.12'],
  ['1.37.0-alpha.1', '3.7.0'],
])('Kubernetes %s has etcd %s', (version, etcd) => {
  expect(kubernetesFacts(version)?.etcdVersion).toBe(etcd);
});

it.each([
  ['3.7.0', '3.6.12'],
  ['3.6.12', '3.5.31'],
  ['3.6.4', '3.5.31'],
  ['3.5.9', '3.4.13'],
  ['3.4.13', undefined],
])('before etcd %s, clusters had %s', (version, before) => {
  expect(etcdBefore(version)).toBe(before);
});

it.each([
  ['1.20.2', 'policy/v1beta1', false, false, false],
  ['1.21.14', 'policy/v1', false, false, false],
  ['1.22.0', 'policy/v1', true, false, false],
  ['1.29.15', 'policy/v1', true, false, false],
  ['1.30.0-rc.1', 'policy/v1', true, true, false],
  ['1.31.0', 'policy/v1', true, true, true],
])('Kubernetes %s has the APIs of its minor', (version, budgets, bounds, policies, tokens) => {
  const facts = kubernetesFacts(version);
  expect(facts?.disruptionBudgets).toBe(budgets);
  expect(facts?.boundsCertificates).toBe(bounds);
  expect(facts?.admissionPolicies).toBe(policies);
  expect(facts?.tokensNameNodes).toBe(tokens);
});

it.each([
  ['1.24.17', []],
  ['1.25.0', ['SeccompDefault']],
  ['1.29.15', ['SeccompDefault']],
  ['1.30.0', ['ImageMaximumGCAge', 'NodeSwap', 'SeccompDefault', 'StructuredAuthenticationConfiguration']],
  [
    '1.31.0',
    ['ImageMaximumGCAge', 'NFTablesProxyMode', 'NodeSwap', 'SeccompDefault', 'StructuredAuthenticationConfiguration'],
  ],
  [
    '1.35.7',
    [
      'ImageMaximumGCAge',
      'KubeletCrashLoopBackOffMax',
      'NFTablesProxyMode',
      'NodeSwap',
      'SeccompDefault',
      'StructuredAuthenticationConfiguration',
    ],
  ],
  [
    '1.36.0',
    [
      'CustomCPUCFSQuotaPeriod',
      'ImageMaximumGCAge',
      'KubeletCrashLoopBackOffMax',
      'NFTablesProxyMode',
      'NodeSwap',
      'SeccompDefault',
      'StructuredAuthenticationConfiguration',
    ],
  ],
])('Kubernetes %s has these feature gates on: %o', (version, gates) => {
  expect(kubernetesFacts(version)?.gatesOn).toEqual(gates);
});

it.each([
  ['1.22.17', { oldest: '1.3.4', newest: '1.7.32', not: ['1.3.3', '2.0.0', '2.4.2'] }],
  ['1.23.0', { oldest: '1.3.4', newest: '2.4.2', not: ['1.3.3'] }],
  ['1.26.0', { oldest: '1.6.0', newest: '2.4.2', not: ['1.5.18'] }],
  ['1.36.0', { oldest: '2.1.0', newest: '2.4.2', not: ['1.7.32', '2.0.7'] }],
])('Kubernetes %s works with each containerd of its range', (version, { oldest, newest, not }) => {
  const { containerdRange = '', containerdVersion = '' } = kubernetesFacts(version) ?? {};
  const works = (containerd: string): boolean => semver.satisfies(containerd, containerdRange);
  expect([oldest, newest, containerdVersion].filter((one) => !works(one))).toEqual([]);
  expect(not.filter(works)).toEqual([]);
});

it.each([
  ['1.31.14', '1.7.32', '1.3.5'],
  ['1.32.0', '2.3.4', '1.4.3'],
])('Kubernetes %s has containerd %s with runc %s', (version, containerd, runc) => {
  const facts = kubernetesFacts(version);
  expect([facts?.containerdVersion, facts?.runcVersion]).toEqual([containerd, runc]);
});

it('tells from which minor on a fact holds', () => {
  expect(firstWith('dockershim', false)).toBe('1.24');
  expect(firstWith('ubuntu', 'noble')).toBe('1.32');
});
