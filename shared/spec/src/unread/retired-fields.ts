import type { CiliumNetworking } from '../cluster.ts';
import type { UnreadField } from './unread-field.ts';

const GONE = 'it is not read: kops no longer reads it either';
const REMOVE = 'remove it';

const gone = (path: string, message = GONE, hint = REMOVE): UnreadField => ({ path, message, hint });

/** Settings of Cilium that no release since 1.10 has (kops pkg/apis/kops/v1alpha2/networking.go). */
const CILIUM = [
  'accessLog',
  'agentLabels',
  'allowLocalhost',
  'autoIpv6NodeRoutes',
  'bpfRoot',
  'cniBinPath',
  'containerRuntime',
  'containerRuntimeEndpoint',
  'containerRuntimeLabels',
  'device',
  'disableCNPStatusUpdates',
  'disableConntrack',
  'disableIpv4',
  'disableK8sServices',
  'enableHostReachableServices',
  'enableTracing',
  'enableipv4',
  'enableipv6',
  'envoyLog',
  'ipv4ClusterCidrMaskSize',
  'ipv4Node',
  'ipv4Range',
  'ipv4ServiceRange',
  'ipv6ClusterAllocCidr',
  'ipv6Node',
  'ipv6Range',
  'ipv6ServiceRange',
  'k8sApiServer',
  'k8sKubeconfigPath',
  'keepBpfTemplates',
  'keepConfig',
  'labelPrefixFile',
  'lb',
  'libDir',
  'logDriver',
  'logOpt',
  'logstash',
  'logstashAgent',
  'logstashProbeTimer',
  'nat46Range',
  'nodeInitBootstrapFile',
  'pprof',
  'prefilterDevice',
  'prometheusServeAddr',
  'reconfigureKubelet',
  'removeCbrBridge',
  'restartPods',
  'restore',
  'sidecarIstioProxyImage',
  'singleClusterRoute',
  'socketPath',
  'stateDir',
  'tracePayloadlen',
] as const satisfies readonly (keyof CiliumNetworking)[];

export const CILIUM_OF_THE_PAST: readonly UnreadField[] = CILIUM.map((field) =>
  gone(`spec.networking.cilium.${field}`, 'no Cilium release that kopsctl installs has this setting'),
);

/** Settings of Docker that the runtime is started with; the user is told about the others. */
const DOCKER = [
  'authorizationPlugins',
  'bridge',
  'bridgeIP',
  'dataRoot',
  'defaultRuntime',
  'defaultUlimit',
  'dns',
  'execOpt',
  'execRoot',
  'experimental',
  'healthCheck',
  'hosts',
  'insecureRegistry',
  'liveRestore',
  'maxConcurrentDownloads',
  'maxConcurrentUploads',
  'maxDownloadAttempts',
  'metricsAddress',
  'mtu',
  'packages',
  'runtimes',
  'selinuxEnabled',
  'skipInstall',
  'storageOpts',
  'userNamespaceRemap',
  'version',
];

const VSPHERE = ['CoreDNSServer', 'Datacenter', 'Datastore', 'Password', 'ResourcePool', 'Server', 'Username'];

/** Fields of clusters that kops still accepts but no longer reads. */
export const RETIRED_FIELDS: readonly UnreadField[] = [
  gone(
    'spec.api.loadBalancer.accessLog.interval',
    'it is not read: network load balancers write their log every 5 minutes',
  ),
  gone('spec.api.loadBalancer.idleTimeoutSeconds', 'it is not read: network load balancers have no such timeout'),
  gone('spec.topology.bastion.idleTimeoutSeconds', 'it is not read: network load balancers have no such timeout'),
  ...VSPHERE.map((field) => gone(`spec.cloudConfig.vSphere${field}`, 'it is not read: vSphere is not supported')),
  gone('spec.configStore', 'it is not read: spec.configBase is the folder of the cluster', 'use that'),
  ...DOCKER.map((field) => gone(`spec.docker.${field}`, 'it is not read: Docker is started without it')),
  gone(
    'spec.kubeDNS.image',
    'it is not read: the image depends on the version of Kubernetes',
    'use spec.assets.containerRegistry',
  ),
  gone(
    'spec.kubeDNS.replicas',
    'it is not read: the number of pods grows with the cluster',
    'change the ConfigMap of the autoscaler',
  ),
  gone('spec.networking.calico.majorVersion'),
  gone('spec.nodeAuthorization', 'it is not read: machines prove their identity to the node authority'),
];
