import { specCloud } from '@kopsctl/clouds/control.ts';
import semver from 'semver';
import { describe, expect, it } from 'vitest';
import type { Cluster, ClusterSpec, KubeletConfig } from './cluster.ts';
import { completeCluster } from './complete.ts';
import { formatFieldError } from './field-error.ts';
import type { InstanceGroup, InstanceGroupSpec } from './instance-group.ts';
import { parseObjects } from './parse.ts';
import { validateCluster } from './validate.ts';

const clusterWith = (spec: ClusterSpec, name = 'demo.local.test'): Cluster => ({
  apiVersion: 'kops.k8s.io/v1alpha2',
  kind: 'Cluster',
  metadata: { name },
  spec: { cloudProvider: 'local', ...spec },
});
const group = (name: string, spec: InstanceGroupSpec): InstanceGroup => ({
  apiVersion: '',
  kind: 'InstanceGroup',
  metadata: { name },
  spec,
});
const CONTROL_PLANE = group('cp', { role: 'Master' });
const faults = (cluster: Cluster, groups = [CONTROL_PLANE]) =>
  validateCluster(cluster, groups, specCloud(cluster)).map(formatFieldError);

/** Each supported minor version. */
const MINORS = Array.from({ length: 17 }, (_, index) => `1.${20 + index}.0`);

describe('validateCluster', () => {
  it.each(MINORS)('accepts the defaults of Kubernetes %s', (kubernetesVersion) => {
    const subnet = { name: 'a', type: 'Public' as const, cidr: '172.20.32.0/19' };
    const aws = { cloudProvider: 'aws' as const, subnets: [{ ...subnet, zone: 'us-east-1a' }] };
    const gce = { cloudProvider: 'gce' as const, project: 'p', subnets: [{ ...subnet, region: 'us-east1' }] };
    const inGce = group('cp', { role: 'Master', zones: ['us-east1-b'] });
    for (const [where, controlPlane] of [
      [aws, CONTROL_PLANE],
      // Before that, the providers of clouds are part of Kubernetes' own components.
      ...(semver.lt(kubernetesVersion, '1.24.0') ? [] : [[gce, inGce] as const]),
      [{ cloudProvider: 'local' as const }, CONTROL_PLANE],
    ] as const) {
      const spec = { kubernetesVersion, ...where };
      const input = { cluster: clusterWith(spec, 'demo.example.com'), instanceGroups: [controlPlane] };
      const { cluster, instanceGroups } = completeCluster(input, { stateStoreUrl: 's3://s' }, specCloud(input.cluster));
      const found = validateCluster(cluster, instanceGroups, specCloud(cluster)).map(formatFieldError);
      expect(found.filter((fault) => !fault.includes('subnet'))).toEqual([]);
    }
  });

  it('reports the line of a setting that the Kubernetes version of a group does not have', () => {
    const group =
      'apiVersion: kops.k8s.io/v1alpha2\nkind: InstanceGroup\nmetadata:\n  name: cp\nspec:\n  role: Master\n';
    const text = `${group}  kubelet:\n    registerSchedulable: true\n`;
    const { objects } = parseObjects(text, 'demo.yaml');
    const cluster = clusterWith({ kubernetesVersion: '1.34.0' });
    const groups = objects.flatMap((object) => (object.kind === 'InstanceGroup' ? [object.value] : []));
    expect(validateCluster(cluster, groups, specCloud(cluster), objects).map(formatFieldError)).toEqual([
      'demo.yaml:8:5: spec.kubelet.registerSchedulable: Kubernetes 1.34.0 does not have this setting; only versions below 1.34.0 have it (use spec.kubelet.taints)',
    ]);
  });

  it.each([
    ['kopsctl.io/worker-plans: authorities', "'authorities' is not a way to get a plan (write bucket or authority)"],
    [
      'kopsctl.io/workerplans: authority',
      'there is no such setting (the settings are kopsctl.io/node-drift, kopsctl.io/replace-unready, kopsctl.io/state-key and kopsctl.io/worker-plans)',
    ],
    ['kopsctl.io/node-drift: mend', "'mend' is not a way to handle drift (write report or repair)"],
    [
      'kopsctl.io/replace-unready: soon',
      "'soon' is not a duration (write a duration such as 15m, at least 5m, or never)",
    ],
    [
      'kopsctl.io/replace-unready: 90s',
      'a machine that reboots may be away longer than 90s (write a duration such as 15m, at least 5m, or never)',
    ],
    [
      'kopsctl.io/state-key: hunter2',
      'it names no key with which machines of this cloud can open (write a recipient of age (age1…, which `age-keygen` prints), or none)',
    ],
    [
      'kopsctl.io/state-key: arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab',
      'it names no key with which machines of this cloud can open (write a recipient of age (age1…, which `age-keygen` prints), or none)',
    ],
  ])('refuses the annotation %s with its line', (annotation, message) => {
    const text = `apiVersion: kops.k8s.io/v1alpha2\nkind: Cluster\nmetadata:\n  name: demo.local.test\n  annotations:\n    ${annotation}\n`;
    const { objects } = parseObjects(`${text}spec:\n  cloudProvider: local\n`, 'demo.yaml');
    const [cluster] = objects.flatMap((object) => (object.kind === 'Cluster' ? [object.value] : []));
    const [name] = annotation.split(':');
    expect(
      cluster && validateCluster(cluster, [CONTROL_PLANE], specCloud(cluster), objects).map(formatFieldError),
    ).toEqual([`demo.yaml:6:5: metadata.annotations["${name}"]: ${message}`]);
  });

  it.each(['hetzner', 'openstack'] as const)('refuses a key of the state store on %s', (cloudProvider) => {
    const cluster = clusterWith({ cloudProvider });
    const value = 'projects/p/locations/l/keyRings/r/cryptoKeys/k';
    const metadata = { ...cluster.metadata, annotations: { 'kopsctl.io/state-key': value } };
    expect(faults({ ...cluster, metadata })).toContainEqual(
      expect.stringContaining('machines of this cloud cannot open sealed objects'),
    );
  });

  it('accepts the annotations of others, and its own', () => {
    const healing = { 'kopsctl.io/node-drift': 'repair', 'kopsctl.io/replace-unready': '15m' };
    const annotations = { ...healing, 'kopsctl.io/worker-plans': 'authority', 'example.com/owner': 'me' };
    const cluster = clusterWith({});
    expect(faults({ ...cluster, metadata: { ...cluster.metadata, annotations } })).toEqual([]);
    const nodes = group('nodes', { role: 'Node' });
    const own = { ...nodes, metadata: { ...nodes.metadata, annotations: { 'kopsctl.io/replace-unready': 'never' } } };
    expect(validateCluster(cluster, [CONTROL_PLANE, own], specCloud(cluster))).toEqual([]);
  });

  it('refuses a setting of clusters that an instance group has', () => {
    const nodes = group('nodes', { role: 'Node' });
    const annotations = { 'kopsctl.io/worker-plans': 'authority' };
    const cluster = clusterWith({});
    const wrong = { ...nodes, metadata: { ...nodes.metadata, annotations } };
    expect(validateCluster(cluster, [CONTROL_PLANE, wrong], specCloud(cluster)).map(formatFieldError)).toEqual([
      'instance group nodes: metadata.annotations["kopsctl.io/worker-plans"]: there is no such setting of an instance group (the settings are kopsctl.io/node-drift and kopsctl.io/replace-unready)',
    ]);
  });

  it('accepts the smallest cluster, before and after completion', () => {
    const input = { cluster: clusterWith({}), instanceGroups: [CONTROL_PLANE, group('nodes', { role: 'Node' })] };
    expect(validateCluster(input.cluster, input.instanceGroups, specCloud(input.cluster))).toEqual([]);
    const completed = completeCluster(input, { stateStoreUrl: 'file:///s' }, specCloud(input.cluster));
    expect(validateCluster(completed.cluster, completed.instanceGroups, specCloud(completed.cluster))).toEqual([]);
  });

  it.each<[ClusterSpec, string]>([
    [
      { kubernetesVersion: '1.20' },
      "spec.kubernetesVersion: '1.20' is not a version (write all three numbers: 1.20.0)",
    ],
    [
      { iam: { serviceAccountExternalPermissions: [{ namespace: 'default' }] } },
      'spec.iam.serviceAccountExternalPermissions[0].name: must be set',
    ],
    [{ kubernetesVersion: 'v1.19.7' }, 'spec.kubernetesVersion: v1.19.7 is too old; use 1.20.0 or newer'],
    [
      { kubernetesVersion: '1.24.0', containerRuntime: 'docker' },
      'spec.containerRuntime: Kubernetes 1.24.0 cannot use docker, only versions below 1.24 can (use containerd)',
    ],
    [
      { cloudProvider: 'hetzner', kubernetesVersion: '1.23.17', containerRuntime: 'docker' },
      'spec.containerRuntime: docker is not installed in this cloud: machines download only programs whose hash is published (write containerd, or remove the field)',
    ],
    [
      { kubernetesVersion: '1.36.3', containerd: { version: '2.0.7' } },
      'spec.containerd.version: Kubernetes 1.36.3 needs containerd >=2.1.0, not 2.0.7',
    ],
    [{ containerd: { version: 'newest' } }, "spec.containerd.version: 'newest' is not a version (e.g. 2.3.4)"],
    [
      { kubernetesVersion: '1.27.0', kubeControllerManager: { podEvictionTimeout: '1m' } },
      'spec.kubeControllerManager.podEvictionTimeout: Kubernetes 1.27.0 does not have this setting; only versions below 1.27.0 have it (use spec.kubeAPIServer.defaultNotReadyTolerationSeconds and defaultUnreachableTolerationSeconds)',
    ],
    [
      { kubernetesVersion: '1.31.4', masterKubelet: { crashLoopBackOffMaxContainerRestartPeriod: '30s' } },
      'spec.masterKubelet.crashLoopBackOffMaxContainerRestartPeriod: Kubernetes 1.31.4 does not have this setting; 1.32.0 is the first that has it (remove this field)',
    ],
    [
      {
        kubernetesVersion: '1.34.4',
        masterKubelet: { crashLoopBackOffMaxContainerRestartPeriod: '30s' },
        kubelet: {
          crashLoopBackOffMaxContainerRestartPeriod: '30s',
          featureGates: { KubeletCrashLoopBackOffMax: 'true' },
        },
      },
      'spec.masterKubelet.crashLoopBackOffMaxContainerRestartPeriod: kubelet 1.34.4 does not start with it while the feature gate KubeletCrashLoopBackOffMax is off (set KubeletCrashLoopBackOffMax: "true" in featureGates beside it, or remove this field)',
    ],
    [
      {
        kubernetesVersion: '1.25.0',
        kubeAPIServer: { appendAdmissionPlugins: ['EventRateLimit', 'PodSecurityPolicy'] },
      },
      'spec.kubeAPIServer.appendAdmissionPlugins[1]: Kubernetes 1.25.0 does not have the admission plugin PodSecurityPolicy; only versions below 1.25.0 have it (remove it, and give namespaces the labels of Pod Security Admission (pod-security.kubernetes.io/enforce))',
    ],
    [
      { kubernetesVersion: '1.31.0', kubeAPIServer: { disableAdmissionPlugins: ['PersistentVolumeLabel'] } },
      'spec.kubeAPIServer.disableAdmissionPlugins[0]: Kubernetes 1.31.0 does not have the admission plugin PersistentVolumeLabel; only versions below 1.31.0 have it (remove it)',
    ],
    [
      { kubernetesVersion: '1.36.3', kubeAPIServer: { enableAdmissionPlugins: ['PodSecurityPolicy'] } },
      'spec.kubeAPIServer.enableAdmissionPlugins[0]: Kubernetes 1.36.3 does not have the admission plugin PodSecurityPolicy; only versions below 1.25.0 have it (remove it, and give namespaces the labels of Pod Security Admission (pod-security.kubernetes.io/enforce))',
    ],
    [
      { kubelet: { hostnameOverride: 'a' } },
      "spec.kubelet.hostnameOverride: every node would be called 'a' (remove this field)",
    ],
    [
      { masterKubelet: { hostnameOverride: '@aws', podManifestPath: '/etc/mine' } },
      "spec.masterKubelet.podManifestPath: '/etc/mine' is not /etc/kubernetes/manifests, where other programs of a node look for it (remove this field)",
    ],
    [
      { encryptionConfig: true, kubeAPIServer: { encryptionProviderConfig: '/etc/mine' } },
      "spec.kubeAPIServer.encryptionProviderConfig: the API server would read '/etc/mine', and not the secret encryptionconfig (remove this field, or spec.encryptionConfig)",
    ],
    [
      { kubeAPIServer: { insecurePort: 8080 } },
      'spec.kubeAPIServer.insecurePort: API servers since 1.20 serve no insecure port (remove this field)',
    ],
    [
      { kubeProxy: { image: 'mine:1' } },
      "spec.kubeProxy.image: machines of cloudProvider local run the image of the prepared assets, not 'mine:1' (remove this field, and prepare the version with `npm run assets`)",
    ],
    [{ networkCIDR: '10.0.0.0' }, "spec.networkCIDR: '10.0.0.0' is not a range of addresses (e.g. 10.0.0.0/16)"],
    [{ networkCIDR: '10.0.1.0/16' }, "spec.networkCIDR: '10.0.1.0/16' has bits beyond its prefix (write 10.0.0.0/16)"],
    [
      { sshAccess: ['0.0.0.0/0', '192.0.2.7/24'] },
      "spec.sshAccess[1]: '192.0.2.7/24' has bits beyond its prefix (write 192.0.2.0/24)",
    ],
    [
      { assets: { fileRepository: 's3://files' } },
      "spec.assets.fileRepository: 's3://files' is not an http or https URL (write the URL from which machines download, such as https://files.example.com)",
    ],
    [
      { kubernetesVersion: '1.35.7', masterKubelet: { cpuCFSQuotaPeriod: '10ms' } },
      'spec.masterKubelet.cpuCFSQuotaPeriod: kubelet 1.35.7 does not start with it while the feature gate CustomCPUCFSQuotaPeriod is off (set CustomCPUCFSQuotaPeriod: "true" in featureGates beside it, or remove this field)',
    ],
    [
      { kubelet: { bootstrapKubeconfig: '/etc/kubernetes/bootstrap' } },
      'spec.kubelet.bootstrapKubeconfig: machines prove themselves without bootstrap tokens (remove this field)',
    ],
    [
      { kubeControllerManager: { attachDetachReconcileSyncPeriod: '500ms' } },
      'spec.kubeControllerManager.attachDetachReconcileSyncPeriod: the controller manager does not start with less than 1s, and this is 500ms (write 1m, or remove this field)',
    ],
    [
      { kubeProxy: { master: 'the API' } },
      "spec.kubeProxy.master: 'the API' is not the URL of an API server (remove this field)",
    ],
    [
      { containerd: { version: '1.6.36', nri: { enabled: true } }, kubernetesVersion: '1.25.16' },
      'spec.containerd.nri: containerd 1.6.36 does not support NRI; 1.7.0 is the first that does (remove it)',
    ],
    [
      { etcdClusters: [{ name: 'main', version: '2.3.8' }] },
      "spec.etcdClusters[0].version: '2.3.8' is not a release of etcd 3 (e.g. 3.6.6)",
    ],
    [
      { etcdClusters: [{ name: 'main', manager: { backupRetentionDays: -1 } }] },
      'spec.etcdClusters[0].manager.backupRetentionDays: is negative (write the number of days for which backups are kept)',
    ],
    [
      { podCIDR: '10.0.0.0/8', networkCIDR: '10.1.0.0/16' },
      'spec.podCIDR: 10.0.0.0/8 overlaps spec.networkCIDR (10.1.0.0/16) (give each its own range)',
    ],
    [
      { networkCIDR: '10.0.0.0/16', subnets: [{ name: 'a', cidr: '10.1.0.0/24' }] },
      'spec.subnets[0].cidr: 10.1.0.0/24 is not within spec.networkCIDR (10.0.0.0/16)',
    ],
    [
      { serviceClusterIPRange: '100.64.0.0/13', kubeDNS: { serverIP: '1.2.3.4' } },
      'spec.kubeDNS.serverIP: 1.2.3.4 is not within spec.serviceClusterIPRange (100.64.0.0/13)',
    ],
    [
      {
        etcdClusters: [
          {
            name: 'main',
            etcdMembers: [
              { name: 'a', instanceGroup: 'cp' },
              { name: 'b', instanceGroup: 'cp' },
            ],
          },
        ],
      },
      'spec.etcdClusters[0].etcdMembers: found 2; use an odd number of members',
    ],
    [
      { etcdClusters: [{ name: 'main', etcdMembers: [{ name: 'a', instanceGroup: 'nope' }] }] },
      "spec.etcdClusters[0].etcdMembers[0].instanceGroup: there is no instance group 'nope' (control-plane groups: cp)",
    ],
    [
      { etcdClusters: [{ name: 'main', provider: 'Legacy' }] },
      "spec.etcdClusters[0].provider: 'Legacy' is not supported (etcd is always run by etcd-manager: write Manager)",
    ],
    [
      { networking: { cilium: {} } },
      'spec.networking.cilium: is not supported by cloudProvider local (use kubenet or flannel, or cni and bring your own)',
    ],
    [
      { cloudConfig: { manageStorageClasses: true, multizone: true } },
      'spec.cloudConfig.multizone: is not supported by cloudProvider local (remove this field)',
    ],
    [
      { assets: { containerRegistry: 'registry.test' } },
      'spec.assets.containerRegistry: is not supported by cloudProvider local (remove this field: images come from the prepared assets)',
    ],
    [{ karpenter: { enabled: true } }, 'spec.karpenter: is not supported by cloudProvider local (remove this field)'],
    [{ hooks: [{ name: 'a' }] }, 'spec.hooks[0]: does nothing (set manifest or execContainer, or disabled: true)'],
    [
      { fileAssets: [{ name: 'a', path: 'etc/a', content: 'x' }] },
      "spec.fileAssets[0].path: 'etc/a' is not the absolute path of a file",
    ],
  ])('refuses %o', (spec, fault) => {
    expect(faults(clusterWith(spec))).toEqual([fault]);
  });

  it.each<[InstanceGroupSpec, string]>([
    [{ role: 'Node', minSize: 3, maxSize: 2 }, 'instance group nodes: spec.minSize: 3 is more than spec.maxSize (2)'],
    [
      { role: 'Node', subnets: ['locale'] },
      "instance group nodes: spec.subnets[0]: the cluster has no subnet 'locale' (did you mean local?)",
    ],
    [
      { role: 'Node', taints: ['dedicated'] },
      "instance group nodes: spec.taints[0]: 'dedicated' is not a taint (key=value:effect, with effect NoSchedule, PreferNoSchedule, NoExecute)",
    ],
    [
      { role: 'Node', taints: ['a=b:NoShedule'] },
      "instance group nodes: spec.taints[0]: unknown effect 'NoShedule' (did you mean NoSchedule?)",
    ],
    [
      { role: 'Node', taints: ['a=b:NoSchedule', 'a=b:NoSchedule'] },
      'instance group nodes: spec.taints[1]: a=b:NoSchedule is listed twice',
    ],
    [
      { role: 'Node', kubelet: { crashLoopBackOffMaxContainerRestartPeriod: '10m' } },
      'instance group nodes: spec.kubelet.crashLoopBackOffMaxContainerRestartPeriod: 10m is not between 1s and 300s',
    ],
    [
      { role: 'Node', nodeLabels: { '-a': 'x' } },
      `instance group nodes: spec.nodeLabels["-a"]: '-a' is not the key of a label (e.g. example.com/tier)`,
    ],
  ])('refuses a group with %o', (spec, fault) => {
    expect(faults(clusterWith({ subnets: [{ name: 'local' }] }), [CONTROL_PLANE, group('nodes', spec)])).toEqual([
      fault,
    ]);
  });

  it('accepts admission plugins that this version still has, and in a list that is replaced also others', () => {
    const old = { appendAdmissionPlugins: ['PodSecurityPolicy'], disableAdmissionPlugins: ['PersistentVolumeLabel'] };
    expect(faults(clusterWith({ kubernetesVersion: '1.24.17', kubeAPIServer: old }))).toEqual([]);
    const replaced = { enableAdmissionPlugins: ['PersistentVolumeLabel'] };
    expect(faults(clusterWith({ kubernetesVersion: '1.36.3', kubeAPIServer: replaced }))).toEqual([]);
  });

  it('refuses a limit on the back-off of containers in the group whose feature gate is off', () => {
    const crashLoopBackOffMaxContainerRestartPeriod = '30s';
    const off = { featureGates: { KubeletCrashLoopBackOffMax: 'false' } };
    const of = (kubernetesVersion: string, kubelet: NonNullable<InstanceGroupSpec['kubelet']>) =>
      faults(clusterWith({ kubernetesVersion }), [CONTROL_PLANE, group('nodes', { role: 'Node', kubelet })]);
    const refused = expect.stringContaining(
      'instance group nodes: spec.kubelet.crashLoopBackOffMaxContainerRestartPeriod: kubelet',
    );
    expect(of('1.34.4', { crashLoopBackOffMaxContainerRestartPeriod })).toEqual([refused]);
    expect(of('1.35.0', { crashLoopBackOffMaxContainerRestartPeriod, ...off })).toEqual([refused]);
    expect(of('1.35.0', { crashLoopBackOffMaxContainerRestartPeriod })).toEqual([]);
    expect(of('1.34.4', off)).toEqual([]);
  });

  it('lets a period of quotas and its feature gate be in different places, as for the machines of a role and of a group', () => {
    const featureGates = { CustomCPUCFSQuotaPeriod: 'True' };
    const period = { cpuCFSQuotaPeriod: '10ms' };
    const groups = (kubelet: KubeletConfig) => [CONTROL_PLANE, group('nodes', { role: 'Node', kubelet })];
    const ofCluster = (kubelet: KubeletConfig) => clusterWith({ kubernetesVersion: '1.35.7', kubelet });
    const ofQuotas = (cluster: Cluster, all: InstanceGroup[]): readonly string[] =>
      faults(cluster, all).filter((one) => one.includes('cpuCFSQuotaPeriod'));
    expect(ofQuotas(ofCluster({ featureGates }), groups(period))).toEqual([]);
    expect(ofQuotas(ofCluster(period), groups({ featureGates }))).toEqual([]);
    expect(ofQuotas(ofCluster({ cpuCFSQuotaPeriod: '100ms' }), groups({}))).toEqual([]);
    expect(ofQuotas(ofCluster(period), groups({}))).toHaveLength(1);
  });

  it('refuses images for the warm pools of all groups', () => {
    const warmPool = { additionalImages: ['busybox'] };
    const subnets = [{ name: 'a', zone: 'us-east-1a', type: 'Public' as const, cidr: '172.20.32.0/19' }];
    expect(faults(clusterWith({ cloudProvider: 'aws', subnets, warmPool }))).toEqual([
      'spec.warmPool.additionalImages: images are pulled for the warm pool of one instance group (set spec.warmPool.additionalImages of the instance group)',
    ]);
  });

  it('refuses a classic load balancer of AWS, and says what else changes', () => {
    const spec: ClusterSpec = {
      cloudProvider: 'aws',
      subnets: [{ name: 'a', zone: 'us-east-1a', type: 'Public', cidr: '172.20.32.0/19' }],
      api: { loadBalancer: { type: 'Public', class: 'Classic' } },
    };
    expect(faults(clusterWith(spec))).toEqual([
      'spec.api.loadBalancer.class: classic load balancers are not supported: the API gets a network load balancer (write Network; in a running cluster, kubeconfigs and DNS records change with the address of the API)',
    ]);
  });

  it('rejects a local control plane that could grow, because every machine holds an etcd member', () => {
    expect(faults(clusterWith({}), [group('cp', { role: 'Master', minSize: 1, maxSize: 3 })])).toEqual([
      'instance group cp: spec.minSize: 1 differs from spec.maxSize (3), but a control plane has a fixed size (set both to 1, 3 or 5)',
    ]);
  });

  it('requires a DNS name and a control plane, and reports both at once', () => {
    expect(faults(clusterWith({}, 'Demo_1'), [])).toEqual([
      expect.stringContaining("metadata.name: 'Demo_1' is not a DNS name"),
      'there is no control plane (add an InstanceGroup with spec.role: Master)',
    ]);
  });

  it('reports the file and line of a parsed object', () => {
    const { objects } = parseObjects(
      'apiVersion: kops.k8s.io/v1alpha2\nkind: Cluster\nmetadata:\n  name: demo.test\nspec:\n  kubernetesVersion: 1.2.3\n',
      'demo.yaml',
    );
    const [fault] = validateCluster(
      clusterWith({ kubernetesVersion: '1.2.3' }, 'demo.test'),
      [CONTROL_PLANE],
      specCloud({ spec: { cloudProvider: 'local' } }),
      objects,
    );
    expect(fault).toMatchObject({ file: 'demo.yaml', line: 6, column: 3, path: 'spec.kubernetesVersion' });
  });
});
