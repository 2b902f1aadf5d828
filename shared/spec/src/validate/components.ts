import type { CloudTraits } from '../cloud-traits.ts';
import type { Cluster, KubeletConfig } from '../cluster.ts';
import type { InstanceGroup } from '../instance-group.ts';
import { parseDurationMs } from '../duration.ts';
import { COMPONENT_SECTIONS, kubernetesFacts, type UnknownSetting } from '../kubernetes-versions.ts';
import { ENCRYPTION_CONFIG, KUBELET_KUBECONFIG, MANIFESTS_DIR } from '../node-paths.ts';
import { validateAdmissionPlugins } from './admission-plugins.ts';
import { validateAudit } from './audit.ts';
import { fault, type Fault } from './fault.ts';
import { validateGatedKubelet } from './gated-kubelet.ts';
import { validateWordsByVersion } from './words-by-version.ts';

/** Rejects settings of Kubernetes components that a node plan does not support, instead of ignoring them. */
export function* validateComponents(
  { spec }: Cluster,
  groups: readonly InstanceGroup[],
  traits: CloudTraits,
): Iterable<Fault> {
  yield* validateKubelet('spec.kubelet', spec.kubelet);
  yield* validateKubelet('spec.masterKubelet', spec.masterKubelet);
  yield* validateSettings(spec, groups);
  for (const group of groups) {
    for (const one of validateKubelet('spec.kubelet', group.spec.kubelet)) {
      yield { ...one, instanceGroup: group.metadata.name };
    }
  }
  const { master = '' } = spec.kubeProxy ?? {};
  if (master !== '' && URL.parse(master) === null) {
    yield fault('spec.kubeProxy.master', `'${master}' is not the URL of an API server`, 'remove this field');
  }
  yield* validateHostname('spec.kubeProxy', spec.kubeProxy?.hostnameOverride);
  const { attachDetachReconcileSyncPeriod: period = '' } = spec.kubeControllerManager ?? {};
  const periodMs = parseDurationMs(period);
  // 0 is no value, as in kops.
  if (periodMs !== undefined && periodMs > 0 && periodMs < LEAST_RECONCILE_MS) {
    yield fault(
      'spec.kubeControllerManager.attachDetachReconcileSyncPeriod',
      `the controller manager does not start with less than 1s, and this is ${period}`,
      'write 1m, or remove this field',
    );
  }
  const { insecurePort, encryptionProviderConfig } = spec.kubeAPIServer ?? {};
  if (spec.encryptionConfig === true && (encryptionProviderConfig ?? ENCRYPTION_CONFIG) !== ENCRYPTION_CONFIG) {
    yield fault(
      'spec.kubeAPIServer.encryptionProviderConfig',
      `the API server would read '${encryptionProviderConfig}', and not the secret encryptionconfig`,
      'remove this field, or spec.encryptionConfig',
    );
  }
  if (insecurePort !== undefined && insecurePort !== 0) {
    yield fault(
      'spec.kubeAPIServer.insecurePort',
      'API servers since 1.20 serve no insecure port',
      'remove this field',
    );
  }
  yield* validateAdmissionPlugins(spec);
  yield* validateGatedKubelet(spec, groups);
  yield* validateWordsByVersion(spec, groups);
  yield* validateAudit(spec);
  if (traits.bringsImages) yield* validateImages(spec, groups);
}

/**
 * Reports settings that this version of Kubernetes does not have. The component would not start with one of their flags.
 */
function* validateSettings(spec: Cluster['spec'], groups: readonly InstanceGroup[]): Iterable<Fault> {
  const version = spec.kubernetesVersion ?? '';
  const unknown = kubernetesFacts(version)?.unknownSettings;
  if (unknown === undefined) return;
  for (const section of COMPONENT_SECTIONS) yield* unknownIn(section, spec[section], unknown[section], version);
  yield* unknownIn('masterKubelet', spec.masterKubelet, unknown.kubelet, version);
  for (const { metadata, spec: group } of groups) {
    for (const one of unknownIn('kubelet', group.kubelet, unknown.kubelet, version)) {
      yield { ...one, instanceGroup: metadata.name };
    }
  }
}

function* unknownIn(
  section: string,
  config: object | undefined,
  settings: readonly UnknownSetting[],
  version: string,
): Iterable<Fault> {
  for (const { field, since, until, instead } of settings) {
    if (config === undefined || Reflect.get(config, field) === undefined) continue;
    const known = since === undefined ? `only versions below ${until} have` : `${since} is the first that has`;
    yield fault(
      `spec.${section}.${field}`,
      `Kubernetes ${version} does not have this setting; ${known} it`,
      instead === undefined ? 'remove this field' : `use ${instead}`,
    );
  }
}

/** The least time between two looks at attached volumes (the controller manager's own limit). */
const LEAST_RECONCILE_MS = 1000;

/** The longest wait before a container is started again (kubelet's own limit). */
const LONGEST_BACK_OFF_MS = 300_000;

/** Files of kubelet that the agents and other pods on the node read too. */
const SHARED_FILES = {
  kubeconfigPath: KUBELET_KUBECONFIG,
  podManifestPath: MANIFESTS_DIR,
} as const;
type SharedFile = keyof typeof SHARED_FILES;

function* validateKubelet(path: string, kubelet: KubeletConfig = {}): Iterable<Fault> {
  yield* validateHostname(path, kubelet.hostnameOverride);
  if ((kubelet.bootstrapKubeconfig ?? '') !== '') {
    yield fault(
      `${path}.bootstrapKubeconfig`,
      'machines prove themselves without bootstrap tokens',
      'remove this field',
    );
  }
  const { crashLoopBackOffMaxContainerRestartPeriod: longest = '' } = kubelet;
  const longestMs = parseDurationMs(longest) ?? LONGEST_BACK_OFF_MS;
  if (longestMs < 1000 || longestMs > LONGEST_BACK_OFF_MS) {
    const message = `${longest} is not between 1s and 300s`;
    yield fault(`${path}.crashLoopBackOffMaxContainerRestartPeriod`, message);
  }
  for (const field of ['kubeconfigPath', 'podManifestPath'] satisfies readonly SharedFile[]) {
    const [value, wanted] = [kubelet[field], SHARED_FILES[field]];
    // Folders may be written with or without a trailing slash.
    if (value === undefined || value.replace(/\/$/, '') === wanted) continue;
    yield fault(
      `${path}.${field}`,
      `'${value}' is not ${wanted}, where other programs of a node look for it`,
      'remove this field',
    );
  }
}

/** In kops, `@aws` and similar values stand for the name that the node has anyway. */
function* validateHostname(path: string, hostname: string | undefined): Iterable<Fault> {
  if (hostname === undefined || hostname === '' || hostname.startsWith('@')) return;
  yield fault(`${path}.hostnameOverride`, `every node would be called '${hostname}'`, 'remove this field');
}

const WITH_IMAGE = ['kubeAPIServer', 'kubeControllerManager', 'kubeProxy', 'kubeScheduler'] as const;

function* validateImages(spec: Cluster['spec'], groups: readonly InstanceGroup[]): Iterable<Fault> {
  const refuse = (path: string, image: string | undefined): readonly Fault[] =>
    image === undefined
      ? []
      : [
          fault(
            path,
            `machines of cloudProvider ${spec.cloudProvider} run the image of the prepared assets, not '${image}'`,
            'remove this field, and prepare the version with `npm run assets`',
          ),
        ];
  for (const section of WITH_IMAGE) yield* refuse(`spec.${section}.image`, spec[section]?.image);
  const pause = 'spec.containerd.sandboxImage';
  yield* refuse(pause, spec.containerd?.sandboxImage);
  for (const group of groups) {
    for (const one of refuse(pause, group.spec.containerd?.sandboxImage)) {
      yield { ...one, instanceGroup: group.metadata.name };
    }
  }
}
