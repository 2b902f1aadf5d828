import semver from 'semver';

/** What kops's defaults say differently for different Kubernetes versions. */
export interface VersionDefaults {
  readonly etcdVersion: string;
  readonly imageRegistry: string;
  readonly pauseImage: string;
  /** Left to the operating system where unset. */
  readonly containerdVersion?: string;
  readonly runcVersion?: string;
  readonly admissionPlugins: readonly string[];
  /** Kubernetes's own code for clouds left the components; an external controller manager took its place. */
  readonly externalCloudProvider: boolean;
  /** kube-apiserver still has --cloud-provider, and kubelet --register-schedulable. */
  readonly legacyCloudFlags: boolean;
  readonly dockershim: boolean;
  /** kubelet lets pods end in order when the machine shuts down. */
  readonly gracefulShutdown: boolean;
  readonly protectKernelDefaults: boolean;
  /** kubelet flags that left with dockershim. */
  readonly networkPluginFlags: boolean;
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

/** The oldest Kubernetes that clusters may run. */
export const OLDEST_KUBERNETES = '1.20.0';

/** Oldest first; the first row states everything, each later one only what changed. */
const CHANGES: readonly [
  { readonly since: string; readonly defaults: VersionDefaults },
  ...(readonly { readonly since: string; readonly defaults: Partial<VersionDefaults> }[]),
] = [
  {
    since: OLDEST_KUBERNETES,
    defaults: {
      etcdVersion: '3.4.13',
      imageRegistry: 'k8s.gcr.io',
      pauseImage: 'k8s.gcr.io/pause:3.2',
      admissionPlugins: ADMISSION_1_20,
      externalCloudProvider: false,
      legacyCloudFlags: true,
      dockershim: true,
      gracefulShutdown: false,
      protectKernelDefaults: false,
      networkPluginFlags: true,
    },
  },
  { since: '1.21.0', defaults: { gracefulShutdown: true } },
  {
    since: '1.22.0',
    defaults: { etcdVersion: '3.5.31', protectKernelDefaults: true, pauseImage: 'k8s.gcr.io/pause:3.6' },
  },
  { since: '1.24.0', defaults: { dockershim: false, networkPluginFlags: false, externalCloudProvider: true } },
  { since: '1.25.0', defaults: { imageRegistry: 'registry.k8s.io', pauseImage: 'registry.k8s.io/pause:3.10.1' } },
  { since: '1.32.0', defaults: { admissionPlugins: ADMISSION_1_32, containerdVersion: '2.3.4', runcVersion: '1.4.3' } },
  { since: '1.33.0', defaults: { legacyCloudFlags: false } },
  { since: '1.34.0', defaults: { etcdVersion: '3.6.12' } },
];

/** The defaults of a Kubernetes version (`1.20.2` or `v1.20.2`), or undefined for text that is no version. */
export function versionDefaults(version: string): VersionDefaults | undefined {
  const wanted = semver.parse(version);
  if (wanted === null) return undefined;
  const release = `${wanted.major}.${wanted.minor}.${wanted.patch}`;
  const [oldest, ...later] = CHANGES;
  return later
    .filter(({ since }) => semver.lte(since, release))
    .reduce<VersionDefaults>((merged, { defaults }) => ({ ...merged, ...defaults }), oldest.defaults);
}
