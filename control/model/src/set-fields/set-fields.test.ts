import type { Cluster, ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { describe, expect, test } from 'vitest';
import { setFields, unsetFields } from './set-fields.ts';

const cluster = (spec: ClusterSpec = {}): Cluster => ({
  apiVersion: 'kops.k8s.io/v1alpha2',
  kind: 'Cluster',
  metadata: { name: 'demo.example.com' },
  spec,
});
const set = (settings: readonly string[], spec?: ClusterSpec) => setFields(cluster(spec), settings).spec;

describe('A setting', () => {
  test.each<[string, ClusterSpec, ClusterSpec]>([
    ['spec.kubernetesVersion=1.35.0', {}, { kubernetesVersion: '1.35.0' }],
    ['cluster.spec.kubelet.anonymousAuth=false', {}, { kubelet: { anonymousAuth: false } }],
    ['spec.addons[0].manifest=https://x/y=z', {}, { addons: [{ manifest: 'https://x/y=z' }] }],
    ['spec.nodePortAccess=1.2.3.4/32,10.0.0.0/8', {}, { nodePortAccess: ['1.2.3.4/32', '10.0.0.0/8'] }],
    ['spec.sshAccess=10.0.0.0/8', { sshAccess: ['1.2.3.4/32'] }, { sshAccess: ['1.2.3.4/32', '10.0.0.0/8'] }],
    [
      'spec.etcdClusters[*].version=3.5.9',
      { etcdClusters: [{ name: 'main' }, { name: 'events' }] },
      {
        etcdClusters: [
          { name: 'main', version: '3.5.9' },
          { name: 'events', version: '3.5.9' },
        ],
      },
    ],
    ['spec.cloudLabels["a.b/c"]=d', {}, { cloudLabels: { 'a.b/c': 'd' } }],
    ['spec.networking.cilium=', {}, { networking: { cilium: {} } }],
    ['spec.kubeAPIServer.eventTTL=90m', {}, { kubeAPIServer: { eventTTL: '1h30m0s' } }],
    ['spec.kubeAPIServer.cpuRequest=0.5', {}, { kubeAPIServer: { cpuRequest: '500m' } }],
    ['spec.kubeAPIServer.maxRequestsInflight=400', {}, { kubeAPIServer: { maxRequestsInflight: 400 } }],
  ])('%s', (setting, before, after) => {
    expect(set([setting], before)).toEqual(after);
  });

  test.each<[string, ClusterSpec]>([
    ['spec.cloudProvider.azure.subscriptionID=s', { cloudConfig: { azure: { subscriptionId: 's' } } }],
    ['spec.api.publicName=api.x', { masterPublicName: 'api.x' }],
    ['spec.networking.topology.dns=None', { topology: { dns: { type: 'None' } } }],
    ['spec.networking.networkCIDR=10.0.0.0/8', { networkCIDR: '10.0.0.0/8' }],
    ['spec.networking.tagSubnets=false', { DisableSubnetTags: true }],
    ['spec.networking.cilium.masquerade=true', { networking: { cilium: { disableMasquerade: false } } }],
    ['spec.authentication.oidc.groupsClaims=a,b', { kubeAPIServer: { oidcGroupsClaim: 'a,b' } }],
    ['spec.controlPlaneKubelet.maxPods=20', { masterKubelet: { maxPods: 20 } }],
    [
      'spec.cloudProvider.openstack.blockStorage.ignoreAZ=true',
      { cloudConfig: { openstack: { blockStorage: { 'ignore-volume-az': true } } } },
    ],
  ])("%s, as kops's newest API has it, is set where v1alpha2 has it", (setting, after) => {
    expect(set([setting])).toEqual(after);
  });

  test.each([
    ['spec.kubernetesVersoin=1', 'there is no field'],
    ['spec.kubelet.anonymousAuth=maybe', 'expected true or false'],
    ['spec.kubeAPIServer.maxRequestsInflight=1.5', 'expected a whole number'],
    ['spec.etcdClusters.version=1', 'names a field of a list'],
    ['spec.addons[3].manifest=x', 'the list has 0 items'],
    ['spec.kubernetesVersion.minor=1', 'continues below a single value'],
    ['spec.kubernetesVersion', 'it has no ='],
    ['spec..x=1', 'not a path'],
    ['spec.kubelet=on', 'expected the fields of an object'],
    ['spec.cloudLabels==infra', 'expected KEY=VALUE'],
    ['spec.cloudProvider=ibm', 'expected one of'],
  ])('%s is refused', (setting, why) => {
    expect(() => set([setting])).toThrow(why);
  });

  test('of maps and of variables of the environment are entries', () => {
    const { spec } = setFields(cluster(), [
      'spec.cloudLabels=team=infra',
      'spec.cloudLabels=cost=a=b',
      'spec.kubeDNS.stubDomains=example.com=1.1.1.1,8.8.8.8',
      'spec.networking.amazonvpc.env=WARM_IP_TARGET=5',
      'spec.networking.amazonvpc.env=EMPTY',
    ]);
    expect(spec).toMatchObject({
      cloudLabels: { team: 'infra', cost: 'a=b' },
      kubeDNS: { stubDomains: { 'example.com': ['1.1.1.1', '8.8.8.8'] } },
      networking: { amazonvpc: { env: [{ name: 'WARM_IP_TARGET', value: '5' }, { name: 'EMPTY' }] } },
    });
  });

  test('of an instance group may use either spelling of its volume', () => {
    const group: InstanceGroup = { ...cluster(), kind: 'InstanceGroup', spec: { role: 'Node' } };
    const edited = setFields(group, ['spec.rootVolume.size=64', 'spec.rootVolumeType=gp3', 'spec.maxSize=3']);
    expect(edited.spec).toEqual({ role: 'Node', rootVolumeSize: 64, rootVolumeType: 'gp3', maxSize: 3 });
    expect(group.spec).toEqual({ role: 'Node' });
  });
});

test.each<[string, ClusterSpec, ClusterSpec]>([
  ['spec.sshAccess', { sshAccess: ['10.0.0.0/8'], channel: 'stable' }, { channel: 'stable' }],
  ['cluster.spec.kubelet.anonymousAuth', { kubelet: { anonymousAuth: false } }, { kubelet: {} }],
  ['spec.addons[0]', { addons: [{ manifest: 'a' }, { manifest: 'b' }] }, { addons: [{ manifest: 'b' }] }],
  ['spec.kubelet.anonymousAuth', {}, {}],
  ['spec.api.loadBalancer', { api: { loadBalancer: { type: 'Public' } }, channel: 'stable' }, { channel: 'stable' }],
  ['spec.api.loadBalancer.class', { api: { loadBalancer: { class: 'Network' } } }, { api: { loadBalancer: {} } }],
])('Unset, %s is gone', (path, before, after) => {
  expect(unsetFields(cluster(before), [path]).spec).toEqual(after);
});

test('A field that does not exist cannot be unset', () => {
  expect(() => unsetFields(cluster(), ['spec.nope'])).toThrow("there is no field 'nope'");
});

test('A field that a group does not have points to what lists the fields of groups', () => {
  const group: InstanceGroup = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'InstanceGroup',
    metadata: { name: 'a' },
    spec: {},
  };
  const next = 'see `kopsctl toolbox schema InstanceGroup` for every field';
  expect(() => setFields(group, ['spec.zzzzzzzz=1'])).toThrow(expect.objectContaining({ next }));
});
