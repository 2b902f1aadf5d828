import semver from 'semver';

/**
 * Everything that differs by Kubernetes version: kops's defaults, and what the components accept. A fact holds from its
 * `since` up to the next one. Builders use these facts and never compare versions themselves.
 */
export interface KubernetesFacts {
  readonly etcdVersion: string;
  readonly imageRegistry: string;
  /** The image that holds a pod's namespaces. */
  readonly pauseImage: string;
  readonly containerdVersion: string;
  readonly runcVersion: string;
  readonly coreDnsVersion: string;
  /**
   * The versions of images that work with this Kubernetes, by repository, where not all do: a version that is near to the
   * wanted one may replace it only within them.
   */
  readonly imageRanges: Readonly<Record<string, string>>;
  /** What Calico's releases were tested with (docs.tigera.io, "Kubernetes requirements"). */
  readonly calicoVersion: string;
  /** What Cilium's releases were tested with (docs.cilium.io, "Kubernetes Compatibility"). */
  readonly ciliumVersion: string;
  /** Its supported releases of Kubernetes (cert-manager.io/docs/releases). */
  readonly certManagerVersion: string;
  readonly admissionPlugins: readonly string[];
  /** The cloud providers are no longer part of the components: an external cloud controller manager runs instead. */
  readonly externalCloudProvider: boolean;
  /** Kubernetes migrates GCE's persistent disks to the CSI driver. */
  readonly persistentDisksByDriver: boolean;
  /** The release of that driver. */
  readonly persistentDiskDriver: string;
  /** kube-apiserver still has --cloud-provider, and kubelet --register-schedulable. */
  readonly legacyCloudFlags: boolean;
  /** The kubelet can still drive Docker by itself. */
  readonly dockershim: boolean;
  /** kubelet supports graceful node shutdown. */
  readonly gracefulShutdown: boolean;
  readonly protectKernelDefaults: boolean;
  /** kubelet still has the flags of dockershim. */
  readonly networkPluginFlags: boolean;
  /** Taint and role label of control-plane nodes. */
  readonly controlPlaneTaint: string;
  readonly schedulerConfigVersion: string;
  /** Where controller-manager and scheduler answer /healthz: plain HTTP ports until 1.21. */
  readonly controllerManagerProbe: Probe;
  readonly schedulerProbe: Probe;
  /** klog's --log-file and its companions. */
  readonly klogFileFlags: boolean;
  /** --insecure-port=0 is needed to close the plain port of older API servers, and unknown to newer ones. */
  readonly insecurePortFlag: boolean;
  /** --container-runtime=remote was required for containerd, and is unknown to newer kubelets. */
  readonly containerRuntimeFlag: boolean;
  /** Flags that kubelet no longer has. Settings that map to one of them are left out. */
  readonly removedKubeletFlags: readonly string[];
}

export interface Probe {
  readonly port: number;
  readonly scheme: 'HTTP' | 'HTTPS';
}

const ADMISSION_1_20 = [
  'NamespaceLifecycle',
  'LimitRanger',
  'ServiceAccount',
  'DefaultStorageClass',
  'DefaultTolerationSeconds',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionWebhook',
  'NodeRestriction',
  'ResourceQuota',
];
const ADMISSION_1_32 = [
  'DefaultStorageClass',
  'DefaultTolerationSeconds',
  'LimitRanger',
  'MutatingAdmissionWebhook',
  'NamespaceLifecycle',
  'NodeRestriction',
  'ResourceQuota',
  'RuntimeClass',
  'ServiceAccount',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
];

const DOCKERSHIM_FLAGS = [
  'image-pull-progress-deadline',
  'network-plugin',
  'network-plugin-mtu',
  'non-masquerade-cidr',
];

/** The oldest Kubernetes that clusters may run. */
export const OLDEST_KUBERNETES = '1.20.0';

/**
 * Oldest first; the first row states everything, each later one only what changed. Sources: kops's defaults
 * (pkg/model/components), and the CHANGELOG of each Kubernetes release.
 */
const CHANGES: readonly [
  { readonly since: string; readonly facts: KubernetesFacts },
  ...(readonly { readonly since: string; readonly facts: Partial<KubernetesFacts> }[]),
] = [
  {
    since: OLDEST_KUBERNETES,
    facts: {
      etcdVersion: '3.4.13',
      imageRegistry: 'k8s.gcr.io',
      pauseImage: 'k8s.gcr.io/pause:3.2',
      containerdVersion: '1.7.28',
      runcVersion: '1.3.3',
      // CoreDNS 1.11 and later need EndpointSlices of discovery.k8s.io/v1 (github.com/coredns/coredns/pull/6147).
      coreDnsVersion: 'v1.10.1',
      imageRanges: { 'registry.k8s.io/coredns/coredns': '<1.11.0' },
      calicoVersion: 'v3.21.4',
      ciliumVersion: 'v1.14.5',
      certManagerVersion: 'v1.10.1',
      admissionPlugins: ADMISSION_1_20,
      externalCloudProvider: false,
      persistentDisksByDriver: false,
      persistentDiskDriver: 'v1.10.13',
      legacyCloudFlags: true,
      dockershim: true,
      gracefulShutdown: false,
      protectKernelDefaults: false,
      networkPluginFlags: true,
      controlPlaneTaint: 'node-role.kubernetes.io/master',
      schedulerConfigVersion: 'kubescheduler.config.k8s.io/v1beta1',
      controllerManagerProbe: { port: 10252, scheme: 'HTTP' },
      schedulerProbe: { port: 10251, scheme: 'HTTP' },
      klogFileFlags: true,
      insecurePortFlag: true,
      containerRuntimeFlag: true,
      removedKubeletFlags: [],
    },
  },
  { since: '1.21.0', facts: { coreDnsVersion: 'v1.14.2', gracefulShutdown: true, imageRanges: {} } },
  {
    since: '1.22.0',
    facts: {
      calicoVersion: 'v3.23.5',
      etcdVersion: '3.5.31',
      protectKernelDefaults: true,
      pauseImage: 'k8s.gcr.io/pause:3.6',
      schedulerConfigVersion: 'kubescheduler.config.k8s.io/v1beta2',
      controllerManagerProbe: { port: 10257, scheme: 'HTTPS' },
      schedulerProbe: { port: 10259, scheme: 'HTTPS' },
    },
  },
  // The feature gate CSIMigrationGCE is on from here on.
  { since: '1.23.0', facts: { persistentDisksByDriver: true } },
  {
    since: '1.24.0',
    facts: {
      dockershim: false,
      networkPluginFlags: false,
      externalCloudProvider: true,
      controlPlaneTaint: 'node-role.kubernetes.io/control-plane',
      insecurePortFlag: false,
      removedKubeletFlags: DOCKERSHIM_FLAGS,
    },
  },
  {
    since: '1.25.0',
    facts: {
      calicoVersion: 'v3.30.3',
      certManagerVersion: 'v1.16.2',
      imageRegistry: 'registry.k8s.io',
      pauseImage: 'registry.k8s.io/pause:3.10.1',
      schedulerConfigVersion: 'kubescheduler.config.k8s.io/v1',
    },
  },
  { since: '1.26.0', facts: { klogFileFlags: false } },
  { since: '1.27.0', facts: { ciliumVersion: 'v1.16.5', containerRuntimeFlag: false } },
  // The oldest Kubernetes of kops 1.33, the oldest kops that has this release.
  { since: '1.28.0', facts: { persistentDiskDriver: 'v1.22.1' } },
  {
    since: '1.32.0',
    facts: {
      admissionPlugins: ADMISSION_1_32,
      ciliumVersion: 'v1.17.4',
      containerdVersion: '2.3.4',
      runcVersion: '1.4.3',
    },
  },
  { since: '1.33.0', facts: { legacyCloudFlags: false } },
  { since: '1.34.0', facts: { etcdVersion: '3.6.12' } },
  {
    since: '1.35.0',
    facts: { removedKubeletFlags: [...DOCKERSHIM_FLAGS, 'pod-infra-container-image'] },
  },
];

/** The facts of a Kubernetes version (`1.20.2` or `v1.20.2`), or undefined for text that is not a version. */
export function kubernetesFacts(version: string): KubernetesFacts | undefined {
  const wanted = semver.parse(version);
  if (wanted === null) return undefined;
  const release = `${wanted.major}.${wanted.minor}.${wanted.patch}`;
  const [oldest, ...later] = CHANGES;
  return later
    .filter(({ since }) => semver.lte(since, release))
    .reduce<KubernetesFacts>((merged, { facts }) => ({ ...merged, ...facts }), oldest.facts);
}
