import { CLOUDS, specCloud } from '@kopsctl/clouds/control.ts';
import { expect, test } from 'vitest';
import type { Cluster, ClusterSpec } from '../cluster.ts';
import { formatFieldError } from '../field-error.ts';
import type { InstanceGroup, InstanceGroupSpec } from '../instance-group.ts';
import { KINDS } from '../kinds.ts';
import { parseObjects } from '../parse.ts';
import type { Field } from '../schema/field.ts';
import { validateCluster } from '../validate.ts';
import { API_WORDS } from './api-words.ts';
import { unknownWords } from './words.ts';

const clusterOf = (spec: ClusterSpec): Cluster => ({
  apiVersion: 'kops.k8s.io/v1alpha2',
  kind: 'Cluster',
  metadata: { name: 'demo.example.com' },
  spec,
});
const groupOf = (spec: InstanceGroupSpec): InstanceGroup => ({
  apiVersion: 'kops.k8s.io/v1alpha2',
  kind: 'InstanceGroup',
  metadata: { name: 'nodes' },
  spec,
});
const faults = (spec: ClusterSpec, ...groups: readonly InstanceGroupSpec[]): readonly string[] => {
  const cluster = clusterOf(spec);
  const own = specCloud(cluster).words;
  return [API_WORDS, ...(own === undefined ? [] : [own])].flatMap((table) =>
    [...unknownWords(cluster, groups.map(groupOf), table)].map(({ path, message, hint = '' }) =>
      [path, message, hint].join(' ').trim(),
    ),
  );
};

test('a word that its field does not have is refused with the nearest one', () => {
  expect(
    faults({
      api: { loadBalancer: { type: 'internal' } },
      topology: { dns: { type: 'private' }, bastion: { loadBalancer: { type: 'internal' } } },
    }),
  ).toEqual([
    "spec.api.loadBalancer.type expected one of Public, Internal, found 'internal' did you mean Internal?",
    "spec.topology.bastion.loadBalancer.type expected one of Public, Internal, found 'internal' did you mean Internal?",
    "spec.topology.dns.type expected one of Public, Private, None, Gossip, found 'private' did you mean Private?",
  ]);
});

test('a word in a list is named by its place, and one of a group with the group', () => {
  expect(
    faults({
      subnets: [
        { name: 'a', type: 'Public' },
        { name: 'b', type: 'x' },
      ],
    }),
  ).toEqual(["spec.subnets[1].type expected one of Public, Private, DualStack, Utility, found 'x'"]);
  expect([...unknownWords(clusterOf({}), [groupOf({ manager: 'karpenter' })], API_WORDS)]).toEqual([
    {
      instanceGroup: 'nodes',
      path: 'spec.manager',
      message: "expected one of CloudGroup, Karpenter, found 'karpenter'",
      hint: 'did you mean Karpenter?',
    },
  ]);
});

test.each<ClusterSpec>([
  { clusterAutoscaler: { expander: 'cheapest' } },
  { externalDns: { provider: 'coredns' } },
  { kubeAPIServer: { logFormat: 'xml' } },
  { kubeDNS: { provider: 'bind' } },
  { kubelet: { logFormat: 'xml' } },
  { kubelet: { memorySwapBehavior: 'Swap' } },
  { kubelet: { topologyManagerPolicy: 'strict' } },
  { masterKubelet: { topologyManagerPolicy: 'strict' } },
  { networking: { calico: { awsSrcDstCheck: 'disable' } } },
  { networking: { calico: { bpfExternalServiceMode: 'dsr' } } },
  { networking: { calico: { bpfLogLevel: 'debug' } } },
  { networking: { calico: { chainInsertMode: 'prepend' } } },
  { networking: { calico: { encapsulationMode: 'gre' } } },
  { networking: { calico: { ipipMode: 'always' } } },
  { networking: { calico: { iptablesBackend: 'nft' } } },
  { networking: { calico: { vxlanMode: 'always' } } },
  { networking: { cilium: { bpfLBAlgorithm: 'hash' } } },
  { networking: { cilium: { enablePolicy: 'sometimes' } } },
  { networking: { cilium: { encryptionType: 'rot13' } } },
  { networking: { cilium: { identityAllocationMode: 'etcd' } } },
  { networking: { cilium: { ipam: 'dhcp' } } },
  { networking: { cilium: { monitorAggregation: 'high' } } },
  { networking: { cilium: { tunnel: 'gre' } } },
  { networking: { flannel: { backend: 'gre' } } },
  { updatePolicy: 'manual' },
  { cloudProvider: 'aws', cloudConfig: { nlbSecurityGroupMode: 'managed' } },
])('a cluster with %j is refused', (spec) => {
  expect(faults(spec)).toHaveLength(1);
});

test.each<InstanceGroupSpec>([
  { additionalUserData: [{ name: 'a', content: 'b', type: 'text/plain' }] },
  { cpuCredits: 'infinite' },
  { cpuCredits: '' },
  { instanceInterruptionBehavior: 'sleep' },
  { instanceMetadata: { httpTokens: 'yes' } },
  { kubelet: { topologyManagerPolicy: 'strict' } },
  { mixedInstancesPolicy: { spotAllocationStrategy: 'cheapest' } },
  { rootVolumeType: 'st1' },
  { tenancy: 'shared' },
  { updatePolicy: 'manual' },
])('a group of AWS with %j is refused', (spec) => {
  expect(faults({ cloudProvider: 'aws' }, spec)).toHaveLength(1);
});

test('a word of one cloud is not looked at in another', () => {
  expect(faults({ cloudProvider: 'gce' }, { rootVolumeType: 'pd-ssd' })).toEqual([]);
  expect(faults({ cloudProvider: 'gce' }, { gcpProvisioningModel: 'spot' })).toEqual([
    "spec.gcpProvisioningModel expected one of STANDARD, SPOT, found 'spot' did you mean SPOT?",
  ]);
});

test('an empty text is not a word, where kops takes it for no value', () => {
  expect(faults({ networking: { cilium: { tunnel: '' } } }, { tenancy: '' })).toEqual([]);
});

test('words that Kubernetes, Cilium and cloud-init have learned after kops are accepted', () => {
  const cilium = { ipam: 'cluster-pool', monitorAggregation: 'none' };
  const additionalUserData = [{ name: 'a', content: 'b', type: 'text/jinja2' }];
  const group = { additionalUserData, kubelet: { memorySwapBehavior: 'NoSwap' } };
  expect(faults({ cloudProvider: 'aws', networking: { cilium } }, group)).toEqual([]);
});

test('the line of a file is told', () => {
  const text =
    'apiVersion: kops.k8s.io/v1alpha2\nkind: Cluster\nmetadata:\n  name: demo.example.com\nspec:\n  cloudProvider: aws\n  api:\n    loadBalancer:\n      type: internal\n';
  const { objects } = parseObjects(text, 'demo.yaml');
  const [cluster] = objects.flatMap((object) => (object.kind === 'Cluster' ? [object.value] : []));
  const found = cluster === undefined ? [] : validateCluster(cluster, [], specCloud(cluster), objects);
  expect(found.map(formatFieldError)).toContain(
    "demo.yaml:9:7: spec.api.loadBalancer.type: expected one of Public, Internal, found 'internal' (did you mean Internal?)",
  );
});

test('each path of a table is that of a text in the API', () => {
  const tables = [API_WORDS, ...CLOUDS.flatMap(({ words }) => words ?? [])];
  const kinds = [
    ['cluster', 'Cluster'],
    ['group', 'InstanceGroup'],
  ] as const;
  const paths = tables.flatMap((table) =>
    kinds.flatMap(([part, kind]) => Object.keys(table[part]).map((path) => [kind, path] as const)),
  );
  expect(paths.length).toBeGreaterThan(30);
  expect(paths.filter(([kind, path]) => fieldAt(KINDS[kind], path.split('.')) !== 'string')).toEqual([]);
});

function fieldAt(field: Field | undefined, [part, ...rest]: readonly string[]): Field | undefined {
  if (part === undefined || field === undefined) return field;
  if (typeof field === 'string' || field.type !== 'object') return undefined;
  const inner = field.fields[part.replace('[]', '')];
  const isList = typeof inner === 'object' && inner.type === 'list';
  return part.endsWith('[]') === isList ? fieldAt(isList ? inner.item : inner, rest) : undefined;
}
