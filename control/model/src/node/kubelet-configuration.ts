import type { KubeletConfig } from '@kopsctl/spec/cluster.ts';
import { isOn } from '@kopsctl/spec/feature-gate.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';
import { settingsOf, type Setting, type Settings } from '../flags.ts';

/** The fields of kubelet's configuration file (KubeletConfiguration, kubelet.config.k8s.io/v1beta1). */
export type KubeletConfiguration = { readonly [field: string]: Value };
type Value = Setting | readonly object[] | KubeletConfiguration;

/** Settings that the file holds under the same name and in the same form. */
const SAME: readonly string[] = [
  'allowedUnsafeSysctls',
  'cgroupDriver',
  'cgroupRoot',
  'clusterDomain',
  'containerLogMaxFiles',
  'containerLogMaxSize',
  'cpuCFSQuota',
  'cpuCFSQuotaPeriod',
  'cpuManagerPolicy',
  'enableDebuggingHandlers',
  'eventBurst',
  'evictionMaxPodGracePeriod',
  'evictionPressureTransitionPeriod',
  'failSwapOn',
  'hairpinMode',
  'imageGCHighThresholdPercent',
  'imageGCLowThresholdPercent',
  'imageMaximumGCAge',
  'imageMinimumGCAge',
  'kernelMemcgNotification',
  'kubeAPIQPS',
  'kubeReserved',
  'kubeReservedCgroup',
  'kubeletCgroups',
  'maxParallelImagePulls',
  'maxPods',
  'nodeLeaseDurationSeconds',
  'nodeStatusUpdateFrequency',
  'podCIDR',
  'podPidsLimit',
  'protectKernelDefaults',
  'readOnlyPort',
  'registerNode',
  'registryBurst',
  'registryPullQPS',
  'resolvConf',
  'rotateCertificates',
  'runtimeRequestTimeout',
  'seccompDefault',
  'serializeImagePulls',
  'shutdownGracePeriod',
  'shutdownGracePeriodCriticalPods',
  'streamingConnectionIdleTimeout',
  'systemCgroups',
  'systemReserved',
  'systemReservedCgroup',
  'tlsCertFile',
  'tlsCipherSuites',
  'tlsMinVersion',
  'tlsPrivateKeyFile',
  'topologyManagerPolicy',
  'volumeStatsAggPeriod',
] satisfies readonly (keyof KubeletConfig)[];

/** Settings that the file holds under another name or deeper (kops nodeup/pkg/model/kubelet.go), and in which form. */
const MOVED: Readonly<Partial<Record<keyof KubeletConfig, readonly [path: string, form?: (value: string) => Value]>>> =
  {
    anonymousAuth: ['authentication.anonymous.enabled'],
    authenticationTokenWebhook: ['authentication.webhook.enabled'],
    authenticationTokenWebhookCacheTtl: ['authentication.webhook.cacheTTL'],
    authorizationMode: ['authorization.mode'],
    clientCaFile: ['authentication.x509.clientCAFile'],
    clusterDNS: ['clusterDNS', (value) => value.split(',')],
    crashLoopBackOffMaxContainerRestartPeriod: ['crashLoopBackOff.maxContainerRestartPeriod'],
    enforceNodeAllocatable: ['enforceNodeAllocatable', (value) => value.split(',')],
    eventRecordQPS: ['eventRecordQPS'],
    // The older name of the same setting; kops lets it win where both are set.
    eventQPS: ['eventRecordQPS'],
    evictionHard: ['evictionHard', pairs('<')],
    evictionMinimumReclaim: ['evictionMinimumReclaim', pairs('=')],
    evictionSoft: ['evictionSoft', pairs('<')],
    evictionSoftGracePeriod: ['evictionSoftGracePeriod', pairs('=')],
    experimentalAllowedUnsafeSysctls: ['allowedUnsafeSysctls'],
    logFormat: ['logging.format'],
    memorySwapBehavior: ['memorySwap.swapBehavior'],
    podManifestPath: ['staticPodPath'],
    volumePluginDirectory: ['volumePluginDir'],
  };

/** `a<1,b<2` → `{ a: '1', b: '2' }`. */
function pairs(separator: string): (value: string) => Settings {
  return (value) =>
    Object.fromEntries(
      value.split(',').map((pair) => {
        const [name = '', ...rest] = pair.split(separator);
        return [name.trim(), rest.join(separator).trim()];
      }),
    );
}

/**
 * Parts kubelet's settings: the ones that its configuration file has a field for, and the others, which are flags.
 *
 * @param missing fields that this version of the file does not have yet
 */
export function partKubeletSettings(
  config: KubeletConfig,
  missing: readonly string[],
): { readonly file: KubeletConfiguration; readonly flags: Settings } {
  const { eventQPS, featureGates, ...others } = config;
  let file: KubeletConfiguration = {};
  const flags: Record<string, Setting> = {};
  for (const [field, value] of Object.entries({ ...settingsOf(others), ...(eventQPS !== undefined && { eventQPS }) })) {
    const moved: (typeof MOVED)[keyof KubeletConfig] = Reflect.get(MOVED, field);
    const [path, form] = moved ?? (SAME.includes(field) ? [field] : []);
    if (path === undefined || missing.includes(path.split('.')[0] ?? '')) flags[field] = value;
    else if (!isEmpty(value)) file = withField(file, path.split('.'), form ? form(String(value)) : value);
  }
  if (featureGates !== undefined && Object.keys(featureGates).length > 0) {
    const gates = Object.entries(featureGates).map(([gate, value]) => [gate, isOn(value)]);
    file = withField(file, ['featureGates'], Object.fromEntries(gates));
  }
  return { file, flags };
}

/** What kops leaves out too: a field without a value means its default. */
const isEmpty = (value: Setting): boolean =>
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && Object.keys(value).length === 0);

function withField(
  file: KubeletConfiguration,
  [name = '', ...below]: readonly string[],
  value: Value,
): KubeletConfiguration {
  if (below.length === 0) return { ...file, [name]: value };
  const inner = file[name];
  return { ...file, [name]: withField(isFields(inner) ? inner : {}, below, value) };
}

const isFields = (value: Value): value is KubeletConfiguration => isRecord(value);
