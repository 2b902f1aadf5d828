import { expect, test } from 'vitest';
import type { ClusterSpec, NetworkingSpec } from '@kopsctl/spec/cluster.ts';
import { gceCompleted, gceTasks, plannedFile, propsOf, type Wish } from '../testdata/gce-tasks.ts';
import { machineEmail } from './service-accounts.ts';

const firewall = (wish: Wish, id: string) => propsOf(gceTasks(wish), 'gce/Firewall')[`${id}-demo-example-com`];
const template = (wish: Wish, group = 'nodes') =>
  propsOf(gceTasks(wish), 'gce/InstanceTemplate')[`${group}-demo-example-com`];

test('a group has a managed group in each zone, and the first zones get what is left over', () => {
  const sizes = Object.entries(
    propsOf(
      gceTasks({ groups: { nodes: { role: 'Node', minSize: 3, zones: ['us-east1-c', 'us-east1-b'] } } }),
      'gce/InstanceGroupManager',
    ),
  );
  expect(sizes.map(([name, { zone, targetSize }]) => [name, zone, targetSize])).toEqual([
    ['b-control-plane-us-east1-b-demo-example-com', 'us-east1-b', 1],
    ['b-nodes-demo-example-com', 'us-east1-b', 2],
    ['c-nodes-demo-example-com', 'us-east1-c', 1],
  ]);
});

test('an account of the cluster is a member of roles; one that the spec names gets none', () => {
  expect(Object.values(propsOf(gceTasks(), 'gce/ProjectMember'))).toEqual([
    expect.objectContaining({ project: 'p', role: 'roles/container.serviceAgent' }),
  ]);
  const shared = gceTasks({ spec: { cloudConfig: { gceServiceAccount: 'a@b' } } });
  expect(shared.filter(({ kind }) => /ServiceAccount|Member/.test(kind))).toEqual([]);
  expect(template({ spec: { cloudConfig: { gceServiceAccount: 'a@b' } } })?.account).toBe('a@b');
});

test('authorities know the account that machines of a group act as, unless the spec names it by an alias', () => {
  const principal = (spec: ClusterSpec = {}, name = 'demo.example.com') => {
    const { cluster, instanceGroups } = gceCompleted({ name, spec });
    const nodes = instanceGroups.find(({ metadata }) => metadata.name === 'nodes');
    if (nodes === undefined) throw new Error('the cluster has workers');
    return machineEmail({ clusterName: name, spec: cluster.spec }, nodes);
  };
  expect(principal()).toBe('node-demo-example-com@p.iam.gserviceaccount.com');
  expect(principal({ project: 'example.com:acme' })).toBe(
    'node-demo-example-com@acme.example.com.iam.gserviceaccount.com',
  );
  expect(principal({ cloudConfig: { gceServiceAccount: 'a@b' } })).toBe('a@b');
  expect(principal({ cloudConfig: { gceServiceAccount: 'default' } })).toBe(undefined);
});

test('in a bucket, workers read plans alone, and nobody writes outside the folders of the control plane', () => {
  const members = propsOf(
    gceTasks({ spec: { configBase: 'gs://bucket/folder/demo.example.com' } }),
    'gce/BucketMember',
  );
  const rights = Object.values(members).map(({ role, objects }) => [role, objects?.prefixes]);
  expect(rights).toEqual([
    ['roles/storage.objectViewer', ['folder/assets/', 'folder/demo.example.com/']],
    [
      'roles/storage.objectAdmin',
      ['backups/etcd/events/', 'backups/etcd/main/', 'nodes/'].map((path) => `folder/demo.example.com/${path}`),
    ],
    ['roles/storage.legacyBucketReader', undefined],
    ['roles/storage.objectViewer', ['folder/assets/', 'folder/demo.example.com/worker-plans/']],
  ]);
});

test.each([
  [{ gce: {} }, false],
  [{ kindnet: {} }, false],
  [{ cilium: {} }, false],
  [{ cilium: { tunnel: 'disabled' } }, undefined],
  [{ kubenet: {} }, undefined],
  [{ cni: {} }, undefined],
])('with %j the cloud controller makes routes to nodes, as it does by default: %s', (networking, routes) => {
  const { spec } = gceCompleted({ spec: { networking } }).cluster;
  expect(spec.cloudControllerManager?.configureCloudRoutes).toBe(routes);
});

test('control planes read keysets and secrets where the spec puts them, and change there what they maintain alone', () => {
  const tasks = gceTasks({
    name: 'demo.k8s.local',
    spec: {
      configBase: 'gs://state/demo.k8s.local',
      keyStore: 'gs://keys/shared/pki',
      secretStore: 'gs://keys/shared/secrets/',
      topology: { dns: { type: 'Private' } },
    },
  });
  const inKeys = Object.values(propsOf(tasks, 'gce/BucketMember')).filter(({ bucket }) => bucket === 'keys');
  const control = tasks.find(({ kind, name }) => kind === 'gce/ServiceAccount' && name.startsWith('control-plane'));
  expect(inKeys.map(({ role, objects }) => [role, objects?.prefixes])).toEqual([
    ['roles/storage.objectViewer', ['shared/pki/', 'shared/secrets/']],
    ['roles/storage.objectAdmin', ['shared/secrets/gossip-key', 'shared/secrets/gossip-key-control-plane']],
    ['roles/storage.legacyBucketReader', undefined],
  ]);
  // Workers have no right there.
  expect(inKeys.map(({ account }) => account)).toEqual(
    inKeys.map(() => expect.objectContaining({ ref: `gce/ServiceAccount/${control?.name}` })),
  );
});

test('pods in ranges of the subnet have ranges there, and machines get parts of them', () => {
  const wish: Wish = { spec: { networking: { gce: {} } } };
  expect(propsOf(gceTasks(wish), 'gce/Subnetwork')['us-east1-demo-example-com']).toMatchObject({
    cidr: '10.0.32.0/19',
    secondaryRanges: { 'pods-demo-example-com': '10.4.0.0/14', 'services-demo-example-com': '10.1.0.0/16' },
  });
  expect(template(wish)).toMatchObject({
    canIpForward: false,
    podRange: { name: 'pods-demo-example-com', prefixLength: 24 },
  });
  expect(firewall(wish, 'pod-cidrs-to-https-api')).toMatchObject({ sourceRanges: ['10.4.0.0/14'] });
});

test('addresses of each family have a rule of their own, and a family without any opens nothing', () => {
  const wish: Wish = { spec: { sshAccess: ['1.2.3.0/24'] } };
  expect(firewall(wish, 'ssh-external-to-node')).toMatchObject({ sourceRanges: ['1.2.3.0/24'], disabled: false });
  expect(firewall(wish, 'ssh-external-to-node-ipv6')).toMatchObject({ sourceRanges: ['::/0'], disabled: true });
});

test('with a bastion, SSH leads through it, and it can do nothing in the project', () => {
  const wish: Wish = { groups: { bastions: { role: 'Bastion', zones: ['us-east1-b'] } } };
  expect(firewall(wish, 'ssh-external-to-node')).toBeUndefined();
  expect(firewall(wish, 'bastion-to-node-ssh')).toMatchObject({
    sourceTags: ['demo-example-com-k8s-io-role-bastion'],
    targetTags: ['demo-example-com-k8s-io-role-node'],
  });
  expect(template(wish, 'bastions')).toMatchObject({ publicIp: true, canIpForward: false });
  expect(template(wish, 'bastions')?.scopes.join()).not.toContain('cloud-platform');
});

test('workers never reach etcd', () => {
  const ports = firewall({}, 'node-to-master')?.allow.flatMap((one) => one.ports ?? [one.protocol]);
  expect(ports).not.toEqual(expect.arrayContaining(['4001']));
  expect(ports).not.toEqual(expect.arrayContaining(['tcp']));
});

test('a network of another project is referred to there, and so is what belongs to it', () => {
  const tasks = gceTasks({
    spec: { networkID: 'host/net', subnets: [{ name: 'us-east1', id: 'sub', region: 'us-east1', type: 'Private' }] },
  });
  expect(propsOf(tasks, 'gce/Network')).toEqual({ net: { sharedName: 'net', project: 'host' } });
  expect(propsOf(tasks, 'gce/Subnetwork')['sub']).toMatchObject({ sharedName: 'sub', project: 'host' });
  expect(propsOf(tasks, 'gce/Firewall')['node-to-node-demo-example-com']).toMatchObject({ project: 'host' });
  expect(propsOf(tasks, 'gce/Router')).toEqual({});
});

test('API servers on machines of their own take clients from outside; control planes keep what only they serve', () => {
  const tasks = gceTasks({
    spec: { api: { loadBalancer: { type: 'Public' } }, topology: { dns: { type: 'None' } } },
    groups: { 'apiserver-us-east1-b': { role: 'APIServer', zones: ['us-east1-b'] } },
  });
  const managers = propsOf(tasks, 'gce/InstanceGroupManager');
  const pools = Object.keys(managers).filter((name) => (managers[name]?.targetPools.length ?? 0) > 0);
  expect(pools).toEqual(['b-apiserver-us-east1-b-demo-example-com']);
  const backends = propsOf(tasks, 'gce/BackendService');
  expect(backends['api-demo-example-com']?.instanceGroups).toHaveLength(2);
  expect(backends['kops-controller-demo-example-com']?.instanceGroups).toHaveLength(1);
  expect(Object.keys(propsOf(tasks, 'gce/ForwardingRule')).toSorted()).toEqual([
    'api-demo-example-com',
    'api-us-east1-demo-example-com',
    'etcd-us-east1-demo-example-com',
    'kops-controller-us-east1-demo-example-com',
  ]);
});

test.each([
  ['Public', 'control-plane-us-east1-b', { port: 3990, kubeconfig: '/var/lib/kops/kubeconfig' }],
  ['Public', 'apiserver-us-east1-b', { port: 3990, kubeconfig: '/var/lib/kubelet/kubeconfig' }],
  ['Public', 'nodes', undefined],
  ['Internal', 'control-plane-us-east1-b', undefined],
] as const)('of a %s load balancer, a machine of %s answers health checks by %j', (type, group, expected) => {
  const wish: Wish = {
    spec: { api: { loadBalancer: { type } } },
    groups: { 'apiserver-us-east1-b': { role: 'APIServer', zones: ['us-east1-b'] } },
  };
  expect(JSON.parse(plannedFile(wish, group, '/etc/kops/protokube.json')).apiHealth).toEqual(expected);
  if (expected === undefined) return;
  const [check] = Object.values(propsOf(gceTasks(wish), 'gce/HttpHealthCheck'));
  expect(check).toMatchObject({ port: expected.port, path: '/healthz' });
});

test.each([
  ['e2-medium', {}, true],
  ['g2-standard-4', {}, false],
  ['e2-medium', { gcpProvisioningModel: 'SPOT' }, false],
  ['n1-standard-1', { guestAccelerators: [{ acceleratorType: 'nvidia-tesla-t4', acceleratorCount: 1 }] }, false],
])('a %s with %j can be moved while it runs: %s', (machineType, spec, movable) => {
  const wish: Wish = { groups: { nodes: { role: 'Node', zones: ['us-east1-b'], machineType, ...spec } } };
  expect(template(wish)?.movable).toBe(movable);
});

const command = (wish: Wish, program: string): string =>
  plannedFile(wish, 'control-plane-us-east1-b', `/etc/kubernetes/manifests/${program}.manifest`);

test('machines of kube-router and Calico exchange routes, and packets of pods in packets of their own', () => {
  const open = (networking: NetworkingSpec, id: string) =>
    firewall({ spec: { networking, kubeProxy: { enabled: false } } }, id)?.allow.flatMap(
      (one) => one.ports ?? [one.protocol],
    );
  for (const networking of [{ calico: {} }, { kuberouter: {} }]) {
    expect(open(networking, 'node-to-node')).toContain('ipip');
    expect(open(networking, 'node-to-master')).toEqual(expect.arrayContaining(['ipip', '179']));
  }
  expect(open({ flannel: {} }, 'node-to-node')).not.toContain('ipip');
});

test("with pods in ranges of the subnet, Google's allocator is the only one", () => {
  for (const networking of [{ gce: {} }, { kindnet: {} }]) {
    const wish: Wish = { spec: { networking } };
    const flags = command(wish, 'kube-controller-manager');
    expect(flags).toContain('--allocate-node-cidrs=false');
    expect(flags).toContain('--configure-cloud-routes=false');
    expect(gceCompleted(wish).cluster.spec.cloudControllerManager).toMatchObject({
      allocateNodeCIDRs: true,
      cidrAllocatorType: 'CloudAllocator',
      configureCloudRoutes: false,
    });
  }
  expect(command({ spec: { networking: { calico: {} } } }, 'kube-controller-manager')).toContain(
    '--allocate-node-cidrs=true',
  );
});

test('with pods in ranges of the subnet, machines make the network of their pods themselves', () => {
  const wish: Wish = { spec: { networking: { gce: {} } } };
  expect(plannedFile(wish, 'nodes', '/etc/containerd/config.toml')).toContain(
    'conf_template = "/etc/containerd/config-cni.template"',
  );
  expect(plannedFile(wish, 'nodes', '/etc/containerd/config-cni.template')).toContain('{{.PodCIDR}}');
  expect(plannedFile(wish, 'nodes', '/opt/kops/bin/cni-iptables-setup')).toContain('ensure IP-MASQ -d 10.0.0.0/8 ');
});

test('kubelet lets a pod reach itself through its Service, except on isolated control planes', () => {
  const modes = (spec: ClusterSpec) => {
    const { kubelet, masterKubelet } = gceCompleted({ spec }).cluster.spec;
    return [kubelet?.hairpinMode, masterKubelet?.hairpinMode];
  };
  expect(modes({})).toEqual(['promiscuous-bridge', 'promiscuous-bridge']);
  expect(modes({ isolateMasters: true })).toEqual(['promiscuous-bridge', 'none']);
});
