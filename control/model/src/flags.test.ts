import { expect, it } from 'vitest';
import { kebabCase } from '@kopsctl/spec/flag-name.ts';
import { decimalOf, renderFlags } from './flags.ts';

it.each([
  ['serviceClusterIPRange', 'service-cluster-ip-range'],
  ['allocateNodeCIDRs', 'allocate-node-cidrs'],
  ['clusterCIDR', 'cluster-cidr'],
  ['oidcCAFile', 'oidc-ca-file'],
  ['cpuCFSQuotaPeriod', 'cpu-cfs-quota-period'],
  ['http2MaxStreamsPerConnection', 'http2-max-streams-per-connection'],
])('%s is the flag --%s', (field, flag) => {
  expect(kebabCase(field)).toBe(flag);
});

it.each([
  ['endpointSliceUpdatesBatchPeriod', '--endpointslice-updates-batch-period=1s'],
  ['leaderElectRenewDeadlineDuration', '--leader-elect-renew-deadline=1s'],
])('%s becomes the flag %s, which components have', (field, flag) => {
  expect(renderFlags({ [field]: '1s' }, { names: {} })).toEqual([flag]);
});

it('renders each type as kops does, sorted, and omits what is unset', () => {
  const flags = renderFlags(
    {
      image: 'never a flag',
      azureNodeManagerImage: 'never a flag',
      cpuRequest: '100m',
      logLevel: 0,
      enableProfiling: false,
      clusterDNS: '',
      nodeLabels: { b: '2', a: '1' },
      serviceAccountKeyFile: ['one', 'two'],
      admissionPlugins: ['A', 'B'],
      empty: [],
      later: undefined,
    },
    { names: {}, repeated: ['service-account-key-file'] },
  );
  expect(flags).toEqual([
    '--admission-plugins=A,B',
    '--node-labels=a=1,b=2',
    '--profiling=false',
    '--service-account-key-file=one',
    '--service-account-key-file=two',
    '--v=0',
  ]);
});

it('sorts flags as kops does, and leaves the values of a repeated flag in their order', () => {
  const settings = { key: ['z', 'a', 'm'], keyFile: 'of another flag' };
  expect(renderFlags(settings, { names: {}, repeated: ['key'] })).toEqual([
    '--key-file=of another flag',
    '--key=z',
    '--key=a',
    '--key=m',
  ]);
});

it.each([
  ['3140m', '3.14'],
  ['0.1', '0.1'],
  ['70m', '0.07'],
  ['1k', '1000'],
  [50, '50'],
  ['many', 'many'],
])('the rate %j is the number %s, as flags take it', (rate, number) => {
  expect(renderFlags({ kubeAPIQPS: rate }, { names: {} })).toEqual([`--kube-api-qps=${number}`]);
  expect(decimalOf(rate)).toBe(number);
});
