import semver from 'semver';

/**
 * Everything about a node that differs by Kubernetes version. A fact holds from its `since` up to the next one, so
 * a builder asks for the facts of a version once and never compares versions itself.
 */
export interface KubernetesFacts {
  /** The kubelet can still drive Docker by itself (dockershim left in 1.24). */
  readonly dockershim: boolean;
  /** Taint and role label of control-plane nodes (master until 1.23, control-plane from 1.24). */
  readonly controlPlaneTaint: string;
  readonly schedulerConfigVersion: string;
  /** Where controller-manager and scheduler answer /healthz: plain HTTP ports until 1.21. */
  readonly controllerManagerProbe: Probe;
  readonly schedulerProbe: Probe;
  /** klog's --log-file and its companions left the components in 1.26. */
  readonly klogFileFlags: boolean;
  /** --insecure-port=0 is needed to close the plain port of older API servers, and unknown to newer ones. */
  readonly insecurePortFlag: boolean;
  /** --container-runtime=remote was required for containerd, and is unknown from 1.27 on. */
  readonly containerRuntimeFlag: boolean;
  /** The image that holds a pod's namespaces. */
  readonly pauseImage: string;
  /** Flags of the kubelet that exist no longer; a setting that maps to one is left out. */
  readonly removedKubeletFlags: readonly string[];
}

export interface Probe {
  readonly port: number;
  readonly scheme: 'HTTP' | 'HTTPS';
}

/** The oldest Kubernetes this suite runs. */
export const OLDEST_KUBERNETES = '1.20.0';

/** Gone before 1.20: kops still accepts them in a spec. */
const REMOVED_BEFORE_1_20 = [
  'allow-privileged',
  'api-servers',
  'babysit-daemons',
  'configure-cbr0',
  'docker-disable-shared-pid',
  'enable-cadvisor-json-endpoints',
  'enable-custom-metrics',
  'nvidia-gpus',
  'reconcile-cidr',
  'require-kubeconfig',
];

const DOCKERSHIM_FLAGS = [
  'image-pull-progress-deadline',
  'network-plugin',
  'network-plugin-mtu',
  'non-masquerade-cidr',
];

/** The facts of the oldest version. Sources, here and below: the CHANGELOG of that Kubernetes release. */
const OLDEST: KubernetesFacts = {
  dockershim: true,
  controlPlaneTaint: 'node-role.kubernetes.io/master',
  schedulerConfigVersion: 'kubescheduler.config.k8s.io/v1beta1',
  controllerManagerProbe: { port: 10252, scheme: 'HTTP' },
  schedulerProbe: { port: 10251, scheme: 'HTTP' },
  klogFileFlags: true,
  insecurePortFlag: true,
  containerRuntimeFlag: true,
  pauseImage: 'k8s.gcr.io/pause:3.2',
  removedKubeletFlags: REMOVED_BEFORE_1_20,
};

/** What changed since, oldest first. */
const CHANGES: readonly { readonly since: string; readonly facts: Partial<KubernetesFacts> }[] = [
  {
    since: '1.22.0',
    facts: {
      schedulerConfigVersion: 'kubescheduler.config.k8s.io/v1beta2',
      controllerManagerProbe: { port: 10257, scheme: 'HTTPS' },
      schedulerProbe: { port: 10259, scheme: 'HTTPS' },
    },
  },
  {
    since: '1.24.0',
    facts: {
      dockershim: false,
      controlPlaneTaint: 'node-role.kubernetes.io/control-plane',
      insecurePortFlag: false,
      removedKubeletFlags: [...REMOVED_BEFORE_1_20, ...DOCKERSHIM_FLAGS],
    },
  },
  {
    since: '1.25.0',
    facts: {
      schedulerConfigVersion: 'kubescheduler.config.k8s.io/v1',
      pauseImage: 'registry.k8s.io/pause:3.10.1',
    },
  },
  { since: '1.26.0', facts: { klogFileFlags: false } },
  { since: '1.27.0', facts: { containerRuntimeFlag: false } },
  {
    since: '1.35.0',
    facts: { removedKubeletFlags: [...REMOVED_BEFORE_1_20, ...DOCKERSHIM_FLAGS, 'pod-infra-container-image'] },
  },
];

/** The facts of a Kubernetes version, `1.20.2` or `v1.20.2`. @throws for text that is no version. */
export function kubernetesFacts(version: string): KubernetesFacts {
  const wanted = semver.parse(version);
  if (wanted === null) throw new Error(`${version} is no Kubernetes version`);
  const release = `${wanted.major}.${wanted.minor}.${wanted.patch}`;
  return CHANGES.filter(({ since }) => semver.lte(since, release)).reduce<KubernetesFacts>(
    (facts, change) => ({ ...facts, ...change.facts }),
    OLDEST,
  );
}

/** A version without its leading v. */
export function bareVersion(version: string): string {
  return version.replace(/^v/, '');
}
