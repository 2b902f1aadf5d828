import { awsModelCloud } from '@kopsctl/clouds/aws/control/model/model-cloud.ts';
import { specCloud } from '@kopsctl/clouds/control.ts';
import { localModelCloud } from '@kopsctl/clouds/local/control/model/model-cloud.ts';
import type { NodePlan } from '@kopsctl/node-plan/node-plan.ts';
import type { Cluster, ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { completeCluster, type Completed } from '@kopsctl/spec/complete.ts';
import { explainPath, type Completion } from '@kopsctl/spec/explain.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { clusterSpec } from '@kopsctl/spec/schema/cluster.ts';
import { whyUnread } from '@kopsctl/spec/unread/unread-fields.ts';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { AssetSource } from '../assets/asset-catalog.ts';
import { clusterFacts } from '../cluster-facts.ts';
import { kebabCase } from '@kopsctl/spec/flag-name.ts';
import { publishedAssets } from '../assets/published-assets.ts';
import { ASSETS, entry, kubernetesEntries } from '../testdata/asset-index.ts';
import { buildNodePlan } from './node-plan.ts';

const CLOUDS = { aws: awsModelCloud, local: localModelCloud };
const VERSIONS = ['1.20.2', '1.23.17', '1.28.4', '1.32.0', '1.35.0', '1.36.3'];

/** The components, and the section of the spec that tells each what to do on a control plane and on a worker. */
const COMPONENTS = [
  ['kube-apiserver', 'kubeAPIServer', 'control-plane'],
  ['kube-controller-manager', 'kubeControllerManager', 'control-plane'],
  ['kube-scheduler', 'kubeScheduler', 'control-plane'],
  ['kube-proxy', 'kubeProxy', 'control-plane'],
  ['kube-proxy', 'kubeProxy', 'nodes'],
  ['kubelet', 'masterKubelet', 'control-plane'],
  ['kubelet', 'kubelet', 'nodes'],
] as const;
type Component = (typeof COMPONENTS)[number];

/** Flags whose name does not follow from the field's. */
const FLAGS: Readonly<Record<string, string>> = {
  authenticationConfigFile: 'authentication-config',
  enableContentionProfiling: 'contention-profiling',
  enableProfiling: 'profiling',
  etcdCaFile: 'etcd-cafile',
  etcdCertFile: 'etcd-certfile',
  etcdKeyFile: 'etcd-keyfile',
  kubeAPIQPS: 'kube-api-qps',
  kubeconfigPath: 'kubeconfig',
  logLevel: 'v',
  networkPluginName: 'network-plugin',
  requestheaderExtraHeaderPrefixes: 'requestheader-extra-headers-prefix',
  serviceAccountJWKSURI: 'service-account-jwks-uri',
  taints: 'register-with-taints',
  volumePluginDirectory: 'volume-plugin-dir',
};
/** Completed as in kops, and told nobody: API servers find each other by leases. */
const UNTOLD = ['spec.kubeAPIServer.apiServerCount'];
const flagOf = (path: string): string => {
  const field = path.replace(/^.*\./, '');
  return FLAGS[field] ?? kebabCase(field);
};

function completed(cloud: keyof typeof CLOUDS, kubernetesVersion: string, more: ClusterSpec = {}): Completed {
  const subnets =
    cloud === 'aws' ? [{ name: 'a', zone: 'us-east-1a', type: 'Public', cidr: '172.20.32.0/19' }] : undefined;
  const cluster: Cluster = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'Cluster',
    metadata: { name: 'demo.example.com' },
    spec: { cloudProvider: cloud, kubernetesVersion, ...(subnets && { subnets }), ...more },
  };
  const group = (name: string, role: 'Master' | 'Node'): InstanceGroup => ({
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'InstanceGroup',
    metadata: { name },
    spec: { role, minSize: 1, maxSize: 1 },
  });
  const instanceGroups = [group('control-plane', 'Master'), group('nodes', 'Node')];
  return completeCluster({ cluster, instanceGroups }, { stateStoreUrl: 's3://state' }, specCloud(cluster));
}

function planOf(cloud: keyof typeof CLOUDS, { cluster, instanceGroups }: Completed, group: string): NodePlan {
  const instanceGroup = instanceGroups.find(({ metadata }) => metadata.name === group);
  if (instanceGroup === undefined) throw new Error(`there is no group ${group}`);
  const nodeStoreUrl = 's3://state';
  const published = publishedAssets(
    clusterFacts(cluster, nodeStoreUrl, CLOUDS[cloud]),
    instanceGroup,
    { agents: { version: '0.1.0', baseUrl: 'https://agents.example.com' } },
    'amd64',
  );
  const prepared = [
    ...ASSETS.assets,
    ...VERSIONS.flatMap(kubernetesEntries),
    entry('etcd-3.6.12', '3.6.12', 'etcd.tar'),
  ];
  const assets: AssetSource = { assets: cloud === 'aws' ? published : prepared, sha256Of: () => '0'.repeat(64) };
  return buildNodePlan({ cloud: CLOUDS[cloud], cluster, instanceGroup, nodeStoreUrl }, assets, ['https://assets']);
}

const contentOf = (plan: NodePlan, ...paths: readonly string[]): string => {
  const task = plan.tasks.find(({ props }) => paths.some((path) => path === props['path']));
  return String({ text: '', ...Object(task?.props['content']) }.text);
};

/** What a component is told on a machine: its flags, its configuration file, and the parts of its pod that have fields. */
function told(plan: NodePlan, component: string): ReadonlyMap<string, string> {
  if (component === 'kubelet') {
    const [, options = ''] = /^DAEMON_ARGS="(.*)"$/m.exec(contentOf(plan, '/etc/sysconfig/kubelet')) ?? [];
    return new Map([...flagsIn(options.split(' ')), ...settingsIn(contentOf(plan, '/var/lib/kubelet/kubelet.conf'))]);
  }
  const manifest = `${component}.manifest`;
  const pod = parse(contentOf(plan, `/etc/kubernetes/manifests/${manifest}`, `/etc/kops/manifests/${manifest}`));
  const [container] = pod.spec.containers;
  return new Map([
    ...flagsIn(container.args.filter((arg: string) => !arg.startsWith('/') && arg !== '--also-stdout')),
    // The pod is there.
    ['enabled', 'true'],
    ['image', container.image],
    ['cpu-request', container.resources.requests.cpu],
  ]);
}

/** Where kubelet's file holds a setting under another name than that of its flag. */
const KUBELET_FILE: Readonly<Record<string, string>> = {
  'authentication.anonymous.enabled': 'anonymous-auth',
  'authentication.webhook.enabled': 'authentication-token-webhook',
  'authentication.x509.clientCAFile': 'client-ca-file',
  'authorization.mode': 'authorization-mode',
  'crashLoopBackOff.maxContainerRestartPeriod': 'crash-loop-back-off-max-container-restart-period',
  staticPodPath: 'pod-manifest-path',
};

/** The settings in kubelet's configuration file, as flags would say them. */
function settingsIn(text: string): readonly (readonly [string, string])[] {
  const { evictionHard, registerWithTaints, ...fields } = parse(text);
  const thresholds = Object.entries(evictionHard ?? {}).map(([signal, value]) => `${signal}<${String(value)}`);
  const flat = (value: unknown, path: string): readonly (readonly [string, string])[] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([name, child]) => flat(child, path === '' ? name : `${path}.${name}`))
      : [[KUBELET_FILE[path] ?? flagOf(path), asFlag(value)]];
  return [
    ...flat(fields, ''),
    ['eviction-hard', thresholds.join(',')],
    ...(registerWithTaints === undefined
      ? []
      : [['register-with-taints', JSON.stringify(registerWithTaints)] as const]),
  ];
}

const flagsIn = (args: readonly string[]): readonly (readonly [string, string])[] =>
  args.map((arg) => {
    const [, name = '', value = ''] = /^--([^=]+)=?(.*)$/.exec(arg) ?? [];
    return [name, value];
  });

/** Every field of a section, objects within it included. */
function fieldsOf(section: Component[1]): readonly string[] {
  const { fields } = clusterSpec.fields[section];
  return Object.entries(fields).flatMap(([name, field]) =>
    typeof field !== 'string' && field.type === 'object'
      ? Object.keys(field.fields).map((inner) => `spec.${section}.${name}.${inner}`)
      : [`spec.${section}.${name}`],
  );
}

const explainable = ({ cluster, origins, withoutValue }: Completed): Completion => ({
  written: {},
  completed: cluster,
  origins: origins.cluster,
  withoutValue: withoutValue.cluster,
});

/** The file holds thresholds by name, which have no order. */
const sorted = (list: string): string => list.split(',').toSorted().join(',');

const asFlag = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value));

const IPV6_ALONE: ClusterSpec = {
  networkCIDR: '172.20.0.0/16',
  nonMasqueradeCIDR: '::/0',
  subnets: [
    { name: 'a', zone: 'us-east-1a', type: 'DualStack', cidr: '172.20.32.0/19', ipv6CIDR: '/64#1' },
    { name: 'b', zone: 'us-east-1a', type: 'Private', ipv6CIDR: '/64#2' },
  ],
};
const MATRIX: readonly (readonly [keyof typeof CLOUDS, string, string, ClusterSpec])[] = [
  ...(['aws', 'local'] as const).flatMap((cloud) => VERSIONS.map((version) => [cloud, version, 'IPv4', {}] as const)),
  ['aws', '1.36.3', 'IPv6 alone', IPV6_ALONE],
];

describe.each(MATRIX)('on %s with Kubernetes %s and %s', (cloud, version, _, spec) => {
  const whole = completed(cloud, version, spec);
  const completion = explainable(whole);
  const plans = new Map(['control-plane', 'nodes'].map((group) => [group, planOf(cloud, whole, group)]));
  const flagsOf = (component: string, group: string) => {
    const plan = plans.get(group);
    return plan === undefined ? new Map<string, string>() : told(plan, component);
  };

  test.each(COMPONENTS)('%s is told what explain says of spec.%s (%s)', (component, section, group) => {
    const flags = flagsOf(component, group);
    const explained = explainPath('Cluster', `spec.${section}`, completion);
    const differing = explained
      .filter(
        ({ path, value }) => !UNTOLD.includes(path) && sorted(flags.get(flagOf(path)) ?? '') !== sorted(asFlag(value)),
      )
      .map(({ path, value }) => `${path}: ${asFlag(value)}, told ${flags.get(flagOf(path)) ?? 'nothing'}`);
    expect(explained.length).toBeGreaterThanOrEqual(3);
    expect(differing).toEqual([]);
  });

  test.each(COMPONENTS)(
    '%s is told nothing that explain does not know of spec.%s (%s)',
    (component, section, group) => {
      const flags = flagsOf(component, group);
      const unknown = fieldsOf(section)
        .filter((path) => flags.has(flagOf(path)))
        .flatMap((path) => explainPath('Cluster', path, completion))
        .filter(({ value, origin }) => value === undefined && origin.startsWith('not set'))
        .map(({ path }) => `${path}: told ${flags.get(flagOf(path))}`);
      expect(unknown).toEqual([]);
    },
  );
});

describe.each([
  ['main', 0],
  ['events', 1],
] as const)('etcd-manager of %s', (name, index) => {
  const manager = `spec.etcdClusters[${index}].manager`;
  const whole = completed('aws', '1.35.0');
  const origins = Object.keys(clusterSpec.fields.etcdClusters.item.fields.manager.fields)
    .filter((field) => whyUnread('Cluster', `spec.etcdClusters.manager.${field}`) === undefined)
    .flatMap((field) => explainPath('Cluster', `${manager}.${field}`, explainable(whole)));

  test('is told what explain says, and what it decides itself is explained', () => {
    const config = JSON.parse(contentOf(planOf('aws', whole, 'control-plane'), '/etc/kops/etcd-manager.json'));
    expect(config.etcdClusters[index]).toMatchObject({
      name,
      env: [{ name: 'ETCD_MANAGER_DAILY_BACKUPS_RETENTION', value: '90d' }],
    });
    expect(origins).toEqual([
      {
        path: `${manager}.backupInterval`,
        value: undefined,
        origin: 'no value here: 15m0s, the default of etcd-manager',
      },
      { path: `${manager}.backupRetentionDays`, value: 90, origin: 'kops default' },
      {
        path: `${manager}.discoveryPollInterval`,
        value: undefined,
        origin: 'no value here: 10s, the default of etcd-manager',
      },
      { path: `${manager}.env`, value: undefined, origin: 'not set, and no rule sets it' },
      { path: `${manager}.listenMetricsURLs`, value: undefined, origin: 'not set, and no rule sets it' },
      { path: `${manager}.logLevel`, value: undefined, origin: 'no value here: 6, the default of etcd-manager' },
    ]);
  });
});

describe('what a person sets of a component', () => {
  const wished: ClusterSpec = {
    docker: { logDriver: 'journald', storage: 'btrfs' },
    kubeAPIServer: {
      serviceAccountKeyFile: ['/etc/ssl/older.pub'],
      tlsCertFile: '/etc/ssl/mine.crt',
    },
    kubeControllerManager: { rootCAFile: '/etc/ssl/root.crt' },
    kubeProxy: { bindAddress: '10.0.0.1', master: 'https://api.example.com' },
    kubeScheduler: { maxPersistentVolumes: 7 },
    kubelet: {
      clusterDomain: 'mine.example',
      evictionHard:
        'memory.available<100Mi,nodefs.available<10%,nodefs.inodesFree<5%,imagefs.available<10%,imagefs.inodesFree<5%',
      eventRecordQPS: 9,
      networkPluginMTU: 1400,
      podInfraContainerImage: 'registry.example.com/pause:1',
      rotateCertificates: false,
      volumePluginDirectory: '/opt/volumes/',
    },
    masterKubelet: { volumePluginDirectory: '/opt/volumes/' },
  };

  test.each(['aws', 'local'] as const)('wins over every default on %s', (cloud) => {
    const whole = completed(cloud, '1.20.2', wished);
    const [controlPlane, worker] = [planOf(cloud, whole, 'control-plane'), planOf(cloud, whole, 'nodes')];
    expect(Object.fromEntries(told(controlPlane, 'kube-apiserver'))).toMatchObject({
      'service-account-key-file': '/srv/kubernetes/kube-apiserver/service-account.pub',
      'tls-cert-file': '/etc/ssl/mine.crt',
    });
    expect(contentOf(controlPlane, '/etc/kubernetes/manifests/kube-apiserver.manifest')).toContain(
      '--service-account-key-file=/etc/ssl/older.pub',
    );
    expect(Object.fromEntries(told(controlPlane, 'kube-controller-manager'))).toMatchObject({
      'root-ca-file': '/etc/ssl/root.crt',
      'flex-volume-plugin-dir': '/opt/volumes/',
    });
    expect(Object.fromEntries(told(worker, 'kube-proxy'))).toMatchObject({
      'bind-address': '10.0.0.1',
      master: 'https://api.example.com',
    });
    expect(contentOf(controlPlane, '/etc/kubernetes/manifests/kube-scheduler.manifest')).toContain('value: "7"');
    const flags = told(worker, 'kubelet');
    const wanted = Object.entries(wished.kubelet ?? {}).map(([field, value]) => [field, sorted(asFlag(value))]);
    expect(wanted.map(([field = '']) => [field, sorted(flags.get(flagOf(field)) ?? '')])).toEqual(wanted);
  });

  test('of Docker wins over every default', () => {
    const whole = completed('local', '1.20.2', { ...wished, containerRuntime: 'docker' });
    const settings = JSON.parse(contentOf(planOf('local', whole, 'nodes'), '/etc/docker/daemon.json'));
    expect(settings).toMatchObject({ 'log-driver': 'journald', 'log-level': 'info', 'storage-driver': 'btrfs' });
  });

  test('of the cgroups of one group holds for its runtime too', () => {
    const { cluster, instanceGroups, ...rest } = completed('aws', '1.35.0');
    const own = instanceGroups.map((group) => ({
      ...group,
      spec: { ...group.spec, kubelet: { cgroupDriver: 'cgroupfs' } },
    }));
    const plan = planOf('aws', { cluster, instanceGroups: own, ...rest }, 'nodes');
    expect(contentOf(plan, '/etc/containerd/config.toml')).toContain('SystemdCgroup = false');
  });

  test('an API server on a machine of its own asks every etcd member', () => {
    const { cluster, instanceGroups, ...rest } = completed('aws', '1.35.0');
    const groups = instanceGroups.map((group) =>
      group.metadata.name === 'nodes' ? { ...group, spec: { ...group.spec, role: 'APIServer' as const } } : group,
    );
    const flags = told(planOf('aws', { cluster, instanceGroups: groups, ...rest }, 'nodes'), 'kube-apiserver');
    expect(flags.get('etcd-servers')).toBe('https://etcd-a.internal.demo.example.com:4001');
    expect(flags.get('etcd-servers-overrides')).toBe('/events#https://etcd-events-a.internal.demo.example.com:4002');
  });
});
