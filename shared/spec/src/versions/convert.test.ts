import { describe, expect, it, test } from 'vitest';
import { asRecord } from '@kopsctl/tasks/record.ts';
import { convert } from './convert.ts';
import { normalForm } from './normal-form.ts';
import { translatePath } from './translate-path.ts';
import type { Values } from './values.ts';

const object = (kind: string, version: string, spec: Values): Values => ({
  apiVersion: `kops.k8s.io/${version}`,
  kind,
  metadata: { name: 'demo.example.com' },
  spec,
});

/** The fields of a Cluster that are always written in v1alpha3. */
const ALWAYS = { api: {}, cloudProvider: {}, configStore: {}, networking: {} };

const toV1alpha3 = (spec: Values, kind = 'Cluster') => convert(kind, object(kind, 'v1alpha2', spec), 'v1alpha2');
const toV1alpha2 = (spec: Values, kind = 'Cluster') => convert(kind, object(kind, 'v1alpha3', spec), 'v1alpha3');

describe('In both directions,', () => {
  test.each<[string, Values, Values]>([
    [
      'the kubelet of the control plane has a section of its own',
      { masterKubelet: { authenticationTokenWebhookCacheTtl: '1m0s', maxPods: 5 } },
      { controlPlaneKubelet: { authenticationTokenWebhookCacheTTL: '1m0s', maxPods: 5 } },
    ],
    [
      'enabled and disabled are converted to each other',
      { networking: { cilium: { disableMasquerade: true, IPTablesRulesNoinstall: false } } },
      { networking: { cilium: { masquerade: false, installIptablesRules: true } } },
    ],
    [
      'canal and GCE',
      { networking: { canal: { disableFlannelForwardRules: true }, gce: { cilium: { disableMasquerade: false } } } },
      { networking: { canal: { flanneldIptablesForwardRules: false }, gcp: { cilium: { masquerade: true } } } },
    ],
    [
      'OpenID Connect settings become lists and maps',
      {
        kubeAPIServer: { oidcClientID: 'me', oidcGroupsClaim: 'a,b', oidcRequiredClaim: ['a=b=c', 'd='] },
        authentication: {},
      },
      {
        kubeAPIServer: {},
        authentication: { oidc: { clientID: 'me', groupsClaims: ['a', 'b'], requiredClaims: { a: 'b=c', d: '' } } },
      },
    ],
    [
      'Azure keeps its settings in an object of its own',
      { cloudProvider: 'azure', cloudConfig: { azure: { subscriptionId: 's', tenantId: 't' } } },
      { cloudConfig: {}, cloudProvider: { azure: { subscriptionID: 's', tenantID: 't' } } },
    ],
    [
      'bastions and topology',
      { topology: { masters: 'private', dns: { type: 'Private' }, bastion: { bastionPublicName: 'b' } } },
      { networking: { topology: { controlPlane: 'private', dns: 'Private', bastion: { publicName: 'b' } } } },
    ],
    [
      'items of lists keep their place',
      { etcdClusters: [{ name: 'main', etcdMembers: [{ name: 'a', kmsKeyId: 'k', volumeIops: 3 }, { name: 'b' }] }] },
      { etcdClusters: [{ name: 'main', etcdMembers: [{ name: 'a', kmsKeyID: 'k', volumeIOPS: 3 }, { name: 'b' }] }] },
    ],
    ['the local cloud', { cloudProvider: 'local' }, { cloudProvider: { local: {} } }],
    ['DigitalOcean has two names', { cloudProvider: 'digitalocean' }, { cloudProvider: { do: {} } }],
  ])('%s', (_, v1alpha2, v1alpha3) => {
    expect(toV1alpha3(v1alpha2)).toEqual({
      value: object('Cluster', 'v1alpha3', { ...ALWAYS, ...v1alpha3 }),
      lost: [],
      faults: [],
    });
    expect(toV1alpha2({ ...ALWAYS, ...v1alpha3 }).value).toEqual(object('Cluster', 'v1alpha2', v1alpha2));
  });

  test('an instance group has its root volume in one object, and hooks that are enabled', () => {
    const old = {
      role: 'Master',
      rootVolumeSize: 8,
      associatePublicIp: true,
      hooks: [{ disabled: true, roles: ['Master'] }],
    };
    const current = {
      role: 'ControlPlane',
      rootVolume: { size: 8 },
      associatePublicIP: true,
      hooks: [{ enabled: false, roles: ['ControlPlane'] }],
    };
    expect(toV1alpha3(old, 'InstanceGroup').value['spec']).toEqual(current);
    expect(toV1alpha2(current, 'InstanceGroup').value['spec']).toEqual(old);
  });

  test.each(['SSHCredential', 'Keyset', 'Host', 'Sundry'])('only the version of a %s changes', (kind) => {
    const there = toV1alpha3({ publicKey: 'ssh-ed25519 AAAA' }, kind);
    expect(there.value).toEqual(object(kind, 'v1alpha3', { publicKey: 'ssh-ed25519 AAAA' }));
    expect(convert(kind, there.value, 'v1alpha3').value).toEqual(
      object(kind, 'v1alpha2', { publicKey: 'ssh-ed25519 AAAA' }),
    );
  });
});

describe('As in kops,', () => {
  test('fields are written even if they are not set', () => {
    expect(toV1alpha3({ cloudProvider: 'gce' }).value['spec']).toEqual({
      ...ALWAYS,
      cloudProvider: { gce: { project: '' } },
    });
    expect(toV1alpha2({ iam: {}, cloudProvider: { gce: { project: '' } } }).value['spec']).toEqual({
      iam: { legacy: false },
      cloudProvider: 'gce',
    });
    expect(toV1alpha2({ cloudProvider: { openstack: {} } }).value['spec']).toEqual({
      cloudProvider: 'openstack',
      cloudConfig: { openstack: {} },
    });
  });

  test('external-dns that is disabled has no provider', () => {
    const disabled = { externalDns: { disable: true, provider: 'external-dns', watchIngress: true } };
    expect(asRecord(toV1alpha3(disabled).value['spec'])['externalDNS']).toEqual({
      provider: 'none',
      watchIngress: true,
    });
    expect(toV1alpha2({ externalDNS: { provider: 'none' } }).value['spec']).toEqual({ externalDns: { disable: true } });
  });

  test("policies are keyed by the role's name in the version", () => {
    expect(toV1alpha2({ additionalPolicies: { 'control-plane': '[]', node: '[]' } }).value['spec']).toEqual({
      additionalPolicies: { master: '[]', node: '[]' },
    });
  });

  test('every spelling of v1alpha2 is converted to one form without loss', () => {
    const legacy = {
      apiVersion: 'kops/v1alpha2',
      kind: 'InstanceGroup',
      metadata: { name: 'a' },
      spec: {
        role: 'control-plane',
        rootVolumeDeleteOnTermination: false,
        rootVolumeIops: 3,
        kubelet: { nvidiaGPUs: 2 },
      },
    };
    expect(normalForm('InstanceGroup', legacy)).toEqual({
      ...legacy,
      apiVersion: 'kops.k8s.io/v1alpha2',
      spec: { role: 'Master', rootVolumeIops: 3, kubelet: { nvidiaGPUs: 2 } },
    });
    const cluster = object('Cluster', 'v1alpha2', {
      etcdClusters: [{ name: 'main' }, { provider: 'Manager' }],
      docker: {},
    });
    expect(normalForm('Cluster', cluster)).toEqual(cluster);
  });
});

describe('A value that cannot be converted', () => {
  it('is reported if v1alpha3 has no field for it, unless it is a zero value', () => {
    const { lost, faults } = toV1alpha3({
      iam: { legacy: true },
      containerRuntime: '',
      etcdClusters: [{ enableEtcdTLS: false }, { provider: 'Manager' }],
    });
    expect(faults).toEqual([]);
    expect(lost).toEqual([
      { path: 'spec.iam.legacy', value: true },
      { path: 'spec.etcdClusters[1].provider', value: 'Manager' },
    ]);
  });

  it('is a fault if its meaning would change', () => {
    const faultsOf = (spec: Values) => toV1alpha3(spec).faults.map(({ path, message }) => `${path}: ${message}`);
    expect(faultsOf({ cloudProvider: 'gce', warmPool: { minSize: 1 } })).toEqual([
      'spec.warmPool: only a cluster in aws has this, and this one is in gce',
    ]);
    expect(faultsOf({ additionalPolicies: { master: 'a', 'control-plane': 'b' } })).toEqual([
      "spec.additionalPolicies: this has no spelling in the other version: 'master' and 'control-plane' are one role: keep one of them",
    ]);
    expect(faultsOf({ kubeAPIServer: { oidcRequiredClaim: ['a'] } })).toEqual([
      "spec.kubeAPIServer.oidcRequiredClaim: this has no spelling in the other version: 'a' is not name=value",
    ]);
  });
});

test.each([
  ['spec.networking.subnets[0].cidr', 'spec.subnets[0].cidr'],
  ['spec.etcdClusters[*].etcdMembers[2].kmsKeyID', 'spec.etcdClusters[*].etcdMembers[2].kmsKeyId'],
  ['spec.controlPlaneKubelet.featureGates["A.b"]', 'spec.masterKubelet.featureGates["A.b"]'],
  ['spec.networking.gcp.cilium.masquerade', 'spec.networking.gce.cilium.disableMasquerade'],
  ['spec.kubernetesVersion', 'spec.kubernetesVersion'],
  ['spec.cloudProvider', 'spec.cloudProvider'],
  ['', ''],
])('%s of v1alpha3 is %s of v1alpha2', (v1alpha3, v1alpha2) => {
  expect(translatePath('Cluster', v1alpha3, 'v1alpha3').path).toBe(v1alpha2);
});
