import semver from 'semver';
import { minorOf } from './minor-version.ts';

/**
 * Everything that differs between Kubernetes versions in every cloud: kops's defaults, and what the components accept. A fact
 * applies from its `since` version until a later row changes it. Builders use these facts and never compare versions
 * themselves.
 */
export interface KubernetesFacts {
  readonly etcdVersion: string;
  readonly containerdVersion: string;
  readonly runcVersion: string;
  /** The release of the CNI plugins that machines download (kops 268927e, pkg/nodemodel/wellknownassets/cni.go). */
  readonly cniPluginsVersion: string;
  readonly coreDnsVersion: string;
  /** What its releases work with (github.com/kubernetes-sigs/metrics-server, "Compatibility Matrix"). */
  readonly metricsServerVersion: string;
  /**
   * By repository, the versions of an image that work with this Kubernetes, if not all do. A version that is close to the
   * wanted one may replace it only within this range.
   */
  readonly imageRanges: Readonly<Record<string, string>>;
  /** A release of Calico that was tested with this Kubernetes (docs.tigera.io, "Kubernetes requirements"). */
  readonly calicoVersion: string;
  /** A release of Cilium that was tested with this Kubernetes (docs.cilium.io, "Kubernetes Compatibility"). */
  readonly ciliumVersion: string;
  /** A release of cert-manager that supports this Kubernetes (cert-manager.io/docs/releases). */
  readonly certManagerVersion: string;
  readonly admissionPlugins: readonly string[];
  /** Admission plugins that are gone. An API server does not start if one of them is enabled or disabled by a flag. */
  readonly removedAdmissionPlugins: readonly RemovedPlugin[];
  /** The cloud providers are no longer part of the components: an external cloud controller manager runs instead. */
  readonly externalCloudProvider: boolean;
  /**
   * kubelet itself gets the credentials of the cloud's own registry. Later versions run a program of the cloud for them.
   */
  readonly registryCredentialsInTree: boolean;
  /** kubelet can still run Docker itself. */
  readonly dockershim: boolean;
  /** The versions of containerd that kubelet can drive, as semver writes ranges. */
  readonly containerdRange: string;
  /** kubelet does not start on a machine with cgroup v1 (its failCgroupV1, which no spec of kops sets). */
  readonly needsCgroupV2: boolean;
  /** kubelet supports graceful node shutdown. */
  readonly gracefulShutdown: boolean;
  readonly protectKernelDefaults: boolean;
  /** Fields of KubeletConfiguration that nodes may need and that only later versions have. */
  readonly missingKubeletFields: readonly string[];
  /** Of the feature gates that settings need, those that are on by default. */
  readonly gatesOn: readonly NeededGate[];
  /** The taint and role label of control-plane nodes. */
  readonly controlPlaneTaint: string;
  /**
   * The version of kube-scheduler's configuration file. Undefined where kube-scheduler has a port without TLS: with a file it
   * ignores --port=0, which closes that port (kubernetes#109900).
   */
  readonly schedulerConfigVersion: string | undefined;
  /** kube-controller-manager has a port without TLS, which --port=0 closes. */
  readonly controllerManagerPlainPort: boolean;
  /** kubelet reads its serving certificate again when the file changes (ReloadKubeletServerCertificateFile). */
  readonly reloadsServingCertificate: boolean;
  /**
   * How long kubelets may serve with certificates of the cluster's CA, which signed them before: as long as such a
   * certificate is valid, or until machines that were made before are replaced.
   */
  readonly kubeletsTrustedDays: number;
  /** klog's --log-file and related flags. Images of later versions contain go-runner, which writes the file. */
  readonly klogFileFlags: boolean;
  /** The API server can allow anonymous requests for single paths (KEP-4633). */
  readonly anonymousPaths: boolean;
  /** ValidatingAdmissionPolicy is in admissionregistration.k8s.io/v1 (KEP-3488). */
  readonly admissionPolicies: boolean;
  /**
   * The token of every pod says on which node the pod runs. Tokens do so from 1.30 on, but pods that started under 1.29 have
   * tokens without that for an hour: a cluster that is upgraded to 1.31 has no such pods.
   */
  readonly tokensNameNodes: boolean;
  /** Certificates that kube-controller-manager signs end when the request says so, in spec.expirationSeconds (KEP-2784). */
  readonly boundsCertificates: boolean;
  /** The apiVersion of PodDisruptionBudgets. */
  readonly disruptionBudgets: 'policy/v1beta1' | 'policy/v1';
  /** --insecure-port=0 closes the plain port of older API servers. Newer ones do not have the flag. */
  readonly insecurePortFlag: boolean;
  /** --container-runtime=remote was required for containerd. Newer kubelets do not have the flag. */
  readonly containerRuntimeFlag: boolean;
  /** The release of Ubuntu that machines of a new group run (kops's stable channel). */
  readonly ubuntu: UbuntuRelease;
  /** Settings that components of this version do not have. A component does not start with one of their flags. */
  readonly unknownSettings: UnknownSettings;
  /** Words of the API that components of this version do not have. A component does not start with one of them. */
  readonly unknownWords: Readonly<Record<WordField, readonly UnknownWord[]>>;
  /** Pod networks that kops has given up, in the order of their names. */
  readonly droppedNetworks: readonly DroppedNetwork[];
}

export type UbuntuRelease = 'focal' | 'jammy' | 'noble';

/**
 * The sections of the spec whose settings differ between versions. kube-scheduler and kube-proxy have theirs in every
 * version; whether the scheduler takes them by a file is told by schedulerConfigVersion.
 */
export const COMPONENT_SECTIONS = ['kubelet', 'kubeAPIServer', 'kubeControllerManager'] as const;
export type ComponentSection = (typeof COMPONENT_SECTIONS)[number];

export type UnknownSettings = Readonly<Record<ComponentSection, readonly UnknownSetting[]>>;

export interface UnknownSetting extends KnownIn {
  /** The path within the section, e.g. `podEvictionTimeout`. */
  readonly field: string;
}

/** Fields of the API whose words differ between versions. */
export type WordField = 'leaderElectResourceLock' | 'memorySwapBehavior' | 'proxyMode';

export interface UnknownWord extends KnownIn {
  readonly word: string;
}

interface KnownIn {
  /** The first version that has it, if that is newer. */
  readonly since?: string;
  /** The first version that no longer has it, if that is this version or older. */
  readonly until?: string;
  /** What to use instead. */
  readonly instead?: string;
}

export interface RemovedPlugin {
  readonly plugin: string;
  /** The first version that no longer has it. */
  readonly until: string;
}

export interface DroppedNetwork {
  readonly network: 'canal' | 'external' | 'weave';
  /** The first version with which kops no longer supports it. */
  readonly until: string;
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

/** Kubernetes pkg/kubeapiserver/options/plugins.go and the CHANGELOG of each release. */
const REMOVED_ADMISSION_PLUGINS: readonly RemovedPlugin[] = [
  { plugin: 'Initializers', until: '1.14.0' },
  { plugin: 'PodPreset', until: '1.20.0' },
  { plugin: 'DenyEscalatingExec', until: '1.21.0' },
  { plugin: 'DenyExecOnPrivileged', until: '1.21.0' },
  { plugin: 'PodSecurityPolicy', until: '1.25.0' },
  { plugin: 'SecurityContextDeny', until: '1.30.0' },
  { plugin: 'PersistentVolumeLabel', until: '1.31.0' },
];

/** kops pkg/apis/kops/validation/validation.go; the versions are those of its docs/networking.md and release notes. */
const DROPPED_NETWORKS: readonly DroppedNetwork[] = [
  { network: 'canal', until: '1.28.0' },
  { network: 'external', until: '1.26.0' },
  { network: 'weave', until: '1.23.0' },
];

/**
 * Fields that were added to KubeletConfiguration after Kubernetes 1.20, by the first version that has each
 * (k8s.io/kubelet config/v1beta1).
 */
const KUBELET_CONFIG_FIELDS: Readonly<Record<string, string>> = {
  memorySwap: '1.22.0',
  seccompDefault: '1.22.0',
  registerNode: '1.23.0',
  registerWithTaints: '1.23.0',
  containerRuntimeEndpoint: '1.27.0',
  maxParallelImagePulls: '1.27.0',
  imageMaximumGCAge: '1.29.0',
  failCgroupV1: '1.31.0',
  crashLoopBackOff: '1.32.0',
};

/**
 * Settings that not every Kubernetes since 1.20 has. Sources: the flags that each minor version registers
 * (cmd/<component>/app and k8s.io/{apiserver,cloud-provider,controller-manager}) and the fields of its
 * KubeletConfiguration.
 */
const SETTINGS = {
  kubelet: {
    crashLoopBackOffMaxContainerRestartPeriod: { since: '1.32.0' },
    imageMaximumGCAge: { since: '1.29.0' },
    imagePullProgressDeadline: { until: '1.24.0' },
    maxParallelImagePulls: { since: '1.27.0' },
    memorySwapBehavior: { since: '1.22.0' },
    networkPluginMTU: { until: '1.24.0' },
    networkPluginName: { until: '1.24.0' },
    nonMasqueradeCIDR: { until: '1.24.0' },
    podInfraContainerImage: { until: '1.35.0', instead: 'spec.containerd.sandboxImage' },
    registerSchedulable: { until: '1.34.0', instead: 'spec.kubelet.taints' },
    seccompDefault: { since: '1.22.0' },
    seccompProfileRoot: { until: '1.23.0' },
  },
  kubeAPIServer: {
    authenticationConfigFile: { since: '1.29.0' },
    cloudProvider: { until: '1.33.0' },
    storageInitializationTimeout: { since: '1.31.0' },
    strictTransportSecurityDirectives: { since: '1.21.0' },
  },
  kubeControllerManager: {
    concurrentHorizontalPodAustoscalerSyncs: { since: '1.26.0' },
    concurrentJobSyncs: { since: '1.28.0' },
    enableLeaderMigration: { since: '1.21.0' },
    experimentalClusterSigningDuration: {
      until: '1.25.0',
      instead: 'spec.kubeControllerManager.ClusterSigningDuration',
    },
    horizontalPodAutoscalerDownscaleDelay: {
      until: '1.31.0',
      instead: 'spec.kubeControllerManager.horizontalPodAutoscalerDownscaleStabilization',
    },
    horizontalPodAutoscalerUpscaleDelay: { until: '1.31.0' },
    horizontalPodAutoscalerUseRestClients: { until: '1.24.0' },
    podEvictionTimeout: {
      until: '1.27.0',
      instead: 'spec.kubeAPIServer.defaultNotReadyTolerationSeconds and defaultUnreachableTolerationSeconds',
    },
  },
} satisfies Readonly<Record<ComponentSection, Readonly<Record<string, KnownIn>>>>;

/**
 * Words that not every Kubernetes since 1.20 has. Of kubelet: pkg/kubelet/types; of kube-proxy: pkg/proxy/apis/config; of
 * components that elect a leader: kubernetes#106852 and #114055.
 */
const WORDS = {
  leaderElectResourceLock: {
    configmaps: { until: '1.24.0', instead: 'leases' },
    configmapsleases: { until: '1.27.0', instead: 'leases' },
    endpoints: { until: '1.24.0', instead: 'leases' },
    endpointsleases: { until: '1.27.0', instead: 'leases' },
  },
  memorySwapBehavior: {
    NoSwap: { since: '1.30.0' },
    UnlimitedSwap: { until: '1.30.0', instead: 'LimitedSwap' },
  },
  proxyMode: {
    nftables: { since: '1.29.0', instead: 'iptables' },
    userspace: { until: '1.26.0', instead: 'iptables' },
  },
} satisfies Readonly<Record<WordField, Readonly<Record<string, KnownIn>>>>;

/**
 * Feature gates without which a component does not start with a setting, by the first version in which they are on by default
 * (pkg/features/kube_features.go; of the API server also k8s.io/apiserver pkg/features).
 */
const GATES = [
  { gate: 'CustomCPUCFSQuotaPeriod', since: '1.36.0' },
  { gate: 'ImageMaximumGCAge', since: '1.30.0' },
  { gate: 'KubeletCrashLoopBackOffMax', since: '1.35.0' },
  { gate: 'NFTablesProxyMode', since: '1.31.0' },
  { gate: 'NodeSwap', since: '1.30.0' },
  { gate: 'SeccompDefault', since: '1.25.0' },
  { gate: 'StructuredAuthenticationConfiguration', since: '1.30.0' },
] as const;

/** A feature gate without which a component does not start with a setting. */
export type NeededGate = (typeof GATES)[number]['gate'];

/** The oldest Kubernetes that clusters may run. */
export const OLDEST_KUBERNETES = '1.20.0';

/** The newest minor that the facts below were written for. */
export const NEWEST_KUBERNETES = '1.36';

/** What kops's stable channel recommends (kubernetes/kops channels/stable, August 2026): the version of a cluster for which none is given. */
export const RECOMMENDED_KUBERNETES = '1.36.3';

/** The oldest Kubernetes that kops supports as of August 2026. */
export const OLDEST_SUPPORTED_KUBERNETES = '1.32.0';

/** The facts that rows contain. The others are derived. */
type StatedFacts = Omit<
  KubernetesFacts,
  | 'droppedNetworks'
  | 'gatesOn'
  | 'missingKubeletFields'
  | 'removedAdmissionPlugins'
  | 'unknownSettings'
  | 'unknownWords'
>;

/**
 * Oldest first. The first row has every fact; each later row has only what changed. Sources: kops's defaults
 * (pkg/model/components), and the CHANGELOG of each Kubernetes release.
 */
const CHANGES: readonly [
  { readonly since: string; readonly facts: StatedFacts },
  ...(readonly { readonly since: string; readonly facts: Partial<StatedFacts> }[]),
] = [
  {
    since: OLDEST_KUBERNETES,
    facts: {
      etcdVersion: '3.4.13',
      containerdVersion: '1.7.32',
      runcVersion: '1.3.5',
      // Of Kubernetes 1.31, the oldest that kops 1.36 knows.
      cniPluginsVersion: '1.5.1',
      // CoreDNS 1.11 and later need EndpointSlices of discovery.k8s.io/v1 (github.com/coredns/coredns/pull/6147).
      coreDnsVersion: 'v1.10.1',
      imageRanges: { 'registry.k8s.io/coredns/coredns': '<1.11.0' },
      metricsServerVersion: 'v0.6.4',
      calicoVersion: 'v3.21.4',
      ciliumVersion: 'v1.14.5',
      certManagerVersion: 'v1.10.1',
      admissionPlugins: ADMISSION_1_20,
      externalCloudProvider: false,
      registryCredentialsInTree: true,
      dockershim: true,
      // kubelet asks only version 1alpha2 of the CRI, which containerd has until 2.0.
      containerdRange: '>=1.3.4 <2.0.0',
      needsCgroupV2: false,
      gracefulShutdown: false,
      protectKernelDefaults: false,
      controlPlaneTaint: 'node-role.kubernetes.io/master',
      schedulerConfigVersion: undefined,
      controllerManagerPlainPort: true,
      reloadsServingCertificate: false,
      kubeletsTrustedDays: 400,
      klogFileFlags: true,
      anonymousPaths: false,
      admissionPolicies: false,
      tokensNameNodes: false,
      boundsCertificates: false,
      disruptionBudgets: 'policy/v1beta1',
      insecurePortFlag: true,
      containerRuntimeFlag: true,
      ubuntu: 'focal',
    },
  },
  {
    since: '1.21.0',
    facts: { coreDnsVersion: 'v1.14.2', disruptionBudgets: 'policy/v1', gracefulShutdown: true, imageRanges: {} },
  },
  {
    since: '1.22.0',
    facts: {
      calicoVersion: 'v3.23.5',
      etcdVersion: '3.5.31',
      protectKernelDefaults: true,
      controllerManagerPlainPort: false,
      boundsCertificates: true,
      // What a kubelet asks for: 30 days.
      kubeletsTrustedDays: 60,
    },
  },
  {
    since: '1.23.0',
    facts: {
      // kubelet asks version 1 of the CRI first, and 1alpha2 of a containerd that does not have it.
      containerdRange: '>=1.3.4',
      schedulerConfigVersion: 'kubescheduler.config.k8s.io/v1beta2',
    },
  },
  {
    since: '1.24.0',
    facts: {
      dockershim: false,
      externalCloudProvider: true,
      controlPlaneTaint: 'node-role.kubernetes.io/control-plane',
      insecurePortFlag: false,
    },
  },
  {
    since: '1.25.0',
    facts: {
      calicoVersion: 'v3.30.3',
      certManagerVersion: 'v1.16.2',
      schedulerConfigVersion: 'kubescheduler.config.k8s.io/v1',
    },
  },
  // kubelet supports only version 1 of the CRI, which containerd has since 1.6.
  { since: '1.26.0', facts: { klogFileFlags: false, containerdRange: '>=1.6.0' } },
  {
    since: '1.27.0',
    facts: {
      ciliumVersion: 'v1.16.5',
      containerRuntimeFlag: false,
      metricsServerVersion: 'v0.7.2',
      registryCredentialsInTree: false,
      ubuntu: 'jammy',
    },
  },
  { since: '1.30.0', facts: { admissionPolicies: true, ciliumVersion: 'v1.18.12' } },
  {
    since: '1.31.0',
    facts: {
      certManagerVersion: 'v1.19.5',
      metricsServerVersion: 'v0.8.0',
      reloadsServingCertificate: true,
      tokensNameNodes: true,
    },
  },
  {
    since: '1.32.0',
    facts: {
      admissionPlugins: ADMISSION_1_32,
      anonymousPaths: true,
      ubuntu: 'noble',
      calicoVersion: 'v3.31.6',
      containerdVersion: '2.3.4',
      runcVersion: '1.4.3',
      cniPluginsVersion: '1.6.2',
    },
  },
  { since: '1.34.0', facts: { cniPluginsVersion: '1.7.1', etcdVersion: '3.6.12' } },
  { since: '1.35.0', facts: { cniPluginsVersion: '1.8.0', needsCgroupV2: true } },
  // kubelet asks the runtime for its cgroup driver. containerd answers since 2.0, of which 2.1 is the oldest maintained
  // release.
  { since: '1.36.0', facts: { cniPluginsVersion: '1.9.1', containerdRange: '>=2.1.0' } },
  // Newer than NEWEST_KUBERNETES: for those who try it all the same. The default of kubeadm (kubernetes#140333) and of kops.
  { since: '1.37.0', facts: { etcdVersion: '3.7.0' } },
];

const KNOWN = new Map<string, KubernetesFacts | undefined>();

/** The facts of a Kubernetes version (`1.20.2` or `v1.20.2`). Undefined for text that is not a version. */
export function kubernetesFacts(version: string): KubernetesFacts | undefined {
  // A process plans clusters of few versions, and asks in each round of completion.
  if (!KNOWN.has(version)) KNOWN.set(version, factsOf(version));
  return KNOWN.get(version);
}

function factsOf(version: string): KubernetesFacts | undefined {
  const release = releaseOf(version);
  if (release === undefined) return undefined;
  const [oldest, ...later] = CHANGES;
  const stated = later
    .filter(({ since }) => semver.lte(since, release))
    .reduce<StatedFacts>((merged, { facts }) => ({ ...merged, ...facts }), oldest.facts);
  return {
    ...stated,
    gatesOn: GATES.filter(({ since }) => semver.gte(release, since)).map(({ gate }) => gate),
    missingKubeletFields: Object.entries(KUBELET_CONFIG_FIELDS).flatMap(([field, since]) =>
      semver.lt(release, since) ? [field] : [],
    ),
    droppedNetworks: DROPPED_NETWORKS.filter(({ until }) => semver.gte(release, until)),
    removedAdmissionPlugins: REMOVED_ADMISSION_PLUGINS.filter(({ until }) => semver.gte(release, until)),
    unknownSettings: {
      kubelet: unknownTo(release, SETTINGS.kubelet),
      kubeAPIServer: unknownTo(release, SETTINGS.kubeAPIServer),
      kubeControllerManager: unknownTo(release, SETTINGS.kubeControllerManager),
    },
    unknownWords: {
      leaderElectResourceLock: wordsUnknownTo(release, WORDS.leaderElectResourceLock),
      memorySwapBehavior: wordsUnknownTo(release, WORDS.memorySwapBehavior),
      proxyMode: wordsUnknownTo(release, WORDS.proxyMode),
    },
  };
}

function unknownTo(release: string, settings: Readonly<Record<string, KnownIn>>): readonly UnknownSetting[] {
  return Object.entries(settings).flatMap(([field, { since, until, instead }]): readonly UnknownSetting[] => {
    const other = instead !== undefined && { instead };
    if (since !== undefined && semver.lt(release, since)) return [{ field, since, ...other }];
    return until === undefined || semver.lt(release, until) ? [] : [{ field, until, ...other }];
  });
}

const wordsUnknownTo = (release: string, words: Readonly<Record<string, KnownIn>>): readonly UnknownWord[] =>
  unknownTo(release, words).map(({ field, ...known }) => ({ word: field, ...known }));

/** The etcd that clusters had before this one by default: the newest of an older minor. */
export function etcdBefore(version: string): string | undefined {
  const wanted = semver.parse(version);
  if (wanted === null) return undefined;
  const minor = `${wanted.major}.${wanted.minor}.0`;
  return CHANGES.flatMap(({ facts: { etcdVersion = version } }) =>
    semver.lt(etcdVersion, minor) ? [etcdVersion] : [],
  ).at(-1);
}

/** The minor version from which on a fact is this, such as `1.24`. @throws if it never is */
export function firstWith<Fact extends keyof StatedFacts>(fact: Fact, value: StatedFacts[Fact]): string {
  const row = CHANGES.find(({ facts }) => facts[fact] === value);
  if (row === undefined) throw new Error(`${fact} never is that`);
  return minorOf(row.since);
}

/** Whether a component of this version knows a setting of its section. */
export const knowsSetting = (
  { unknownSettings: unknown }: KubernetesFacts,
  section: ComponentSection,
  field: string,
): boolean => !unknown[section].some((setting) => setting.field === field);

/** Whether the minor version is newer than those of the table. */
export function isTooNew(version: string): boolean {
  const release = releaseOf(version);
  return release !== undefined && semver.gtr(release, `~${NEWEST_KUBERNETES}`);
}

/** Removes the parts of a pre-release: its facts are those of the release. */
function releaseOf(version: string): string | undefined {
  const parsed = semver.parse(version);
  return parsed === null ? undefined : `${parsed.major}.${parsed.minor}.${parsed.patch}`;
}
