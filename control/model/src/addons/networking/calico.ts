import type { CalicoNetworking } from '@kopsctl/spec/cluster.ts';
import type { JsonObject } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from '../../cluster-facts.ts';
import type { AddonObject } from '../addon-object.ts';
import { byKubernetes, type ByKubernetes } from '../by-kubernetes.ts';
import { CONTROL_PLANE_ONLY } from '../control-plane-only.ts';
import { disruptionBudget } from '../disruption-budget.ts';
import { EVERY_MACHINE, fieldVariable, hostPath, spread, variables } from '../pod-parts.ts';
import { calicoAccess } from './calico-access.ts';
import { calicoKinds } from './calico-kinds.ts';

const CONFIG = 'calico-config';
/** Tells pods of this network where the API is, where they may not rely on its own Service. */
const ENDPOINT = 'kubernetes-services-endpoint';

interface Release {
  readonly version: string;
  /** calico-node can mount the kernel's BPF file system for itself (`-init -best-effort`, v3.23). */
  readonly mountsBpf: boolean;
}

/** What Calico's releases were tested with (docs.tigera.io, "Kubernetes requirements"). */
const RELEASES: ByKubernetes<Release> = [
  { since: '1.20.0', use: { version: 'v3.21.4', mountsBpf: false } },
  { since: '1.22.0', use: { version: 'v3.23.5', mountsBpf: true } },
  { since: '1.25.0', use: { version: 'v3.30.3', mountsBpf: true } },
];

/** How pods of different machines reach each other. */
interface Tunnels {
  readonly backend: 'bird' | 'vxlan' | 'none';
  readonly ipip: string;
  readonly vxlan: string;
}

/** Calico: pods' addresses are its own to give, machines tell each other of them by BGP or by tunnels (kops addon networking.projectcalico.org). */
export function calicoObjects(facts: ClusterFacts): readonly AddonObject[] {
  const { spec, apiInternalName, kubernetesVersion } = facts;
  const calico = spec.networking?.calico ?? {};
  const usesTypha = (calico.typhaReplicas ?? 0) > 0;
  return [
    ...calicoKinds(),
    ...calicoAccess(),
    ...(calico.bpfEnabled === true
      ? [configMap(ENDPOINT, { KUBERNETES_SERVICE_HOST: apiInternalName, KUBERNETES_SERVICE_PORT: '443' })]
      : []),
    configMap(CONFIG, {
      typha_service_name: usesTypha ? 'calico-typha' : 'none',
      calico_backend: tunnelsOf(calico, isIpv6(facts)).backend,
      // 0: what the machine's own interface allows, less the tunnel's share.
      veth_mtu: String(calico.mtu ?? 0),
      cni_network_config: cniConfig(calico, isIpv6(facts)),
    }),
    nodes(facts, calico, usesTypha),
    controllers(facts, calico),
    disruptionBudget(kubernetesVersion, 'calico-kube-controllers', { 'k8s-app': 'calico-kube-controllers' }),
    ...(usesTypha ? typha(facts, calico) : []),
  ];
}

const isIpv6 = ({ spec }: ClusterFacts): boolean => spec.nonMasqueradeCIDR === '::/0';

const image = (facts: ClusterFacts, calico: CalicoNetworking, name: string): string =>
  `${calico.registry ?? 'docker.io'}/calico/${name}:${calico.version ?? byKubernetes(RELEASES, facts.kubernetesVersion).version}`;

const configMap = (name: string, data: Readonly<Record<string, string>>): AddonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'kube-system' },
  data: { ...data },
});

/** kops's names of modes are crosssubnet and cross-subnet, Calico's is CrossSubnet. */
const modeOf = (mode: string): string => (/^cross-?subnet$/i.test(mode) ? 'CrossSubnet' : mode);

function tunnelsOf(calico: CalicoNetworking, ipv6: boolean): Tunnels {
  const wanted = calico.encapsulationMode ?? (ipv6 ? 'none' : 'ipip');
  const between = modeOf(calico.crossSubnet === true ? 'CrossSubnet' : 'Always');
  const mode = (kind: string, own: string | undefined) =>
    wanted === kind ? (own === undefined ? between : modeOf(own)) : 'Never';
  return {
    backend: wanted === 'vxlan' ? 'vxlan' : wanted === 'none' ? 'none' : 'bird',
    ipip: mode('ipip', calico.ipipMode),
    vxlan: mode('vxlan', calico.vxlanMode),
  };
}

/** Calico's installer puts the machine's values in the places of __NAMES__. */
function cniConfig(calico: CalicoNetworking, ipv6: boolean): string {
  const plugin = {
    type: 'calico',
    log_level: 'info',
    log_file_path: '/var/log/calico/cni/cni.log',
    datastore_type: 'kubernetes',
    nodename: '__KUBERNETES_NODE_NAME__',
    mtu: 0,
    ipam: {
      assign_ipv4: String(!ipv6),
      assign_ipv6: String(ipv6),
      ...(ipv6 ? { type: 'host-local', ranges: [[{ subnet: 'usePodCidrIPv6' }]] } : { type: 'calico-ipam' }),
    },
    ...(calico.allowIPForwarding === true ? { container_settings: { allow_ip_forwarding: true } } : {}),
    policy: { type: 'k8s' },
    kubernetes: { kubeconfig: '__KUBECONFIG_FILEPATH__' },
  };
  const portmap = { type: 'portmap', snat: true, capabilities: { portMappings: true } };
  const config = { name: 'k8s-pod-network', cniVersion: '0.3.1', plugins: [plugin, portmap] };
  // The one value that is a number to the plugin and a placeholder to the installer.
  return JSON.stringify(config, null, 2).replace('"mtu": 0', '"mtu": __CNI_MTU__');
}

const fromConfig = (name: string, key: string): JsonObject => ({
  name,
  valueFrom: { configMapKeyRef: { name: CONFIG, key } },
});
const API_ENDPOINT = [{ configMapRef: { name: ENDPOINT, optional: true } }];
const NODE_NAME = (name: string) => fieldVariable(name, 'spec.nodeName');

function nodes(facts: ClusterFacts, calico: CalicoNetworking, usesTypha: boolean): AddonObject {
  const labels = { 'k8s-app': 'calico-node' };
  const { mountsBpf } = byKubernetes(RELEASES, facts.kubernetesVersion);
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'calico-node', namespace: 'kube-system', labels },
    spec: {
      selector: { matchLabels: labels },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      template: {
        metadata: { labels },
        spec: {
          ...EVERY_MACHINE,
          serviceAccountName: 'calico-node',
          hostNetwork: true,
          // Its state is in the kernel: a restart without a pause interrupts nobody.
          terminationGracePeriodSeconds: 0,
          initContainers: [installer(facts, calico), ...(mountsBpf ? [bpfMounter(facts, calico)] : [])],
          containers: [agent(facts, calico, usesTypha)],
          volumes: [
            hostPath('lib-modules', '/lib/modules'),
            hostPath('var-run-calico', '/var/run/calico', 'DirectoryOrCreate'),
            hostPath('var-lib-calico', '/var/lib/calico', 'DirectoryOrCreate'),
            hostPath('xtables-lock', '/run/xtables.lock', 'FileOrCreate'),
            hostPath('bpffs', '/sys/fs/bpf', 'DirectoryOrCreate'),
            hostPath('cni-bin-dir', '/opt/cni/bin', 'DirectoryOrCreate'),
            hostPath('cni-net-dir', '/etc/cni/net.d', 'DirectoryOrCreate'),
            hostPath('cni-log-dir', '/var/log/calico/cni', 'DirectoryOrCreate'),
            hostPath('policysync', '/var/run/nodeagent', 'DirectoryOrCreate'),
            ...(mountsBpf ? [hostPath('sys-fs', '/sys/fs', 'DirectoryOrCreate'), hostPath('nodeproc', '/proc')] : []),
          ],
        },
      },
    },
  };
}

const installer = (facts: ClusterFacts, calico: CalicoNetworking): JsonObject => ({
  name: 'install-cni',
  image: image(facts, calico, 'cni'),
  imagePullPolicy: 'IfNotPresent',
  command: ['/opt/cni/bin/install'],
  envFrom: API_ENDPOINT,
  env: [
    { name: 'CNI_CONF_NAME', value: '10-calico.conflist' },
    fromConfig('CNI_NETWORK_CONFIG', 'cni_network_config'),
    NODE_NAME('KUBERNETES_NODE_NAME'),
    fromConfig('CNI_MTU', 'veth_mtu'),
    { name: 'SLEEP', value: 'false' },
  ],
  securityContext: { privileged: true },
  volumeMounts: [
    { mountPath: '/host/opt/cni/bin', name: 'cni-bin-dir' },
    { mountPath: '/host/etc/cni/net.d', name: 'cni-net-dir' },
  ],
});

const bpfMounter = (facts: ClusterFacts, calico: CalicoNetworking): JsonObject => ({
  name: 'mount-bpffs',
  image: image(facts, calico, 'node'),
  imagePullPolicy: 'IfNotPresent',
  command: ['calico-node', '-init', '-best-effort'],
  securityContext: { privileged: true },
  // What it mounts has to outlive it.
  volumeMounts: [
    { mountPath: '/sys/fs', mountPropagation: 'Bidirectional', name: 'sys-fs' },
    { mountPath: '/var/run/calico', mountPropagation: 'Bidirectional', name: 'var-run-calico' },
    { mountPath: '/nodeproc', name: 'nodeproc', readOnly: true },
  ],
});

function agent(facts: ClusterFacts, calico: CalicoNetworking, usesTypha: boolean): JsonObject {
  const ipv6 = isIpv6(facts);
  const tunnels = tunnelsOf(calico, ipv6);
  const bird = tunnels.backend === 'bird' ? (ipv6 ? 'bird6' : 'bird') : undefined;
  const probe = (what: 'live' | 'ready') => ({
    exec: { command: ['/bin/calico-node', `-felix-${what}`, ...(bird === undefined ? [] : [`-${bird}-${what}`])] },
    periodSeconds: 10,
    timeoutSeconds: 10,
  });
  const metricsPort = calico.prometheusMetricsPort ?? 9091;
  return {
    name: 'calico-node',
    image: image(facts, calico, 'node'),
    imagePullPolicy: 'IfNotPresent',
    envFrom: API_ENDPOINT,
    env: [
      NODE_NAME('NODENAME'),
      fromConfig('CALICO_NETWORKING_BACKEND', 'calico_backend'),
      ...(usesTypha ? [fromConfig('FELIX_TYPHAK8SSERVICENAME', 'typha_service_name')] : []),
      ...['FELIX_IPINIPMTU', 'FELIX_VXLANMTU', 'FELIX_WIREGUARDMTU'].map((name) => fromConfig(name, 'veth_mtu')),
      ...variables({
        DATASTORE_TYPE: 'kubernetes',
        WAIT_FOR_DATASTORE: true,
        CLUSTER_TYPE: 'kops,bgp',
        CALICO_DISABLE_FILE_LOGGING: true,
        ...addressing(facts, calico, tunnels),
        ...felix(facts, calico, metricsPort),
      }),
    ],
    lifecycle: { preStop: { exec: { command: ['/bin/calico-node', '-shutdown'] } } },
    livenessProbe: { ...probe('live'), failureThreshold: 6, initialDelaySeconds: 10 },
    readinessProbe: probe('ready'),
    ...(calico.prometheusMetricsEnabled === true
      ? { ports: [{ containerPort: metricsPort, name: 'metrics', protocol: 'TCP' }] }
      : {}),
    resources: { requests: { cpu: String(calico.cpuRequest ?? '100m') } },
    securityContext: { privileged: true },
    volumeMounts: [
      { mountPath: '/host/etc/cni/net.d', name: 'cni-net-dir' },
      { mountPath: '/lib/modules', name: 'lib-modules', readOnly: true },
      { mountPath: '/run/xtables.lock', name: 'xtables-lock' },
      { mountPath: '/var/run/calico', name: 'var-run-calico' },
      { mountPath: '/var/lib/calico', name: 'var-lib-calico' },
      { mountPath: '/var/run/nodeagent', name: 'policysync' },
      { mountPath: '/sys/fs/bpf', name: 'bpffs' },
      { mountPath: '/var/log/calico/cni', name: 'cni-log-dir', readOnly: true },
    ],
  };
}

/** Which addresses pods get, and which of the machine's own stands for it. */
function addressing(facts: ClusterFacts, calico: CalicoNetworking, tunnels: Tunnels) {
  const { ipv4AutoDetectionMethod: v4, ipv6AutoDetectionMethod: v6 } = calico;
  if (isIpv6(facts)) {
    return {
      IP: 'none',
      IP6: 'autodetect',
      IP_AUTODETECTION_METHOD: v4 ?? 'none',
      IP6_AUTODETECTION_METHOD: v6 ?? 'first-found',
      CALICO_ROUTER_ID: 'hash',
      NO_DEFAULT_POOLS: true,
      USE_POD_CIDR: true,
      FELIX_IPV6SUPPORT: true,
    };
  }
  return {
    IP: 'autodetect',
    IP6: 'none',
    IP_AUTODETECTION_METHOD: v4 ?? 'first-found',
    IP6_AUTODETECTION_METHOD: v6 ?? 'none',
    CALICO_IPV4POOL_CIDR: facts.podRange,
    CALICO_IPV4POOL_IPIP: tunnels.ipip,
    CALICO_IPV4POOL_VXLAN: tunnels.vxlan,
    CALICO_IPV6POOL_VXLAN: 'Never',
    FELIX_IPV6SUPPORT: false,
  };
}

/** What enforces policies on each machine; the fields are kops's. */
function felix(facts: ClusterFacts, calico: CalicoNetworking, metricsPort: number) {
  return {
    FELIX_AWSSRCDSTCHECK: facts.cloud === 'aws' && !isIpv6(facts) ? (calico.awsSrcDstCheck ?? 'Disable') : 'DoNothing',
    FELIX_BPFENABLED: calico.bpfEnabled ?? false,
    FELIX_BPFEXTERNALSERVICEMODE: calico.bpfExternalServiceMode ?? 'Tunnel',
    FELIX_BPFKUBEPROXYIPTABLESCLEANUPENABLED: calico.bpfKubeProxyIptablesCleanupEnabled ?? false,
    FELIX_BPFLOGLEVEL: calico.bpfLogLevel ?? 'Off',
    FELIX_CHAININSERTMODE: calico.chainInsertMode ?? 'insert',
    FELIX_DEFAULTENDPOINTTOHOSTACTION: 'ACCEPT',
    FELIX_HEALTHENABLED: true,
    FELIX_IPTABLESBACKEND: calico.iptablesBackend ?? 'Auto',
    FELIX_LOGSEVERITYSCREEN: calico.logSeverityScreen ?? 'info',
    FELIX_NFTABLESMODE: calico.nftablesMode,
    FELIX_PROMETHEUSGOMETRICSENABLED: calico.prometheusGoMetricsEnabled ?? false,
    FELIX_PROMETHEUSMETRICSENABLED: calico.prometheusMetricsEnabled ?? false,
    FELIX_PROMETHEUSMETRICSPORT: metricsPort,
    FELIX_PROMETHEUSPROCESSMETRICSENABLED: calico.prometheusProcessMetricsEnabled ?? false,
    FELIX_WIREGUARDENABLED: calico.wireguardEnabled ?? false,
  };
}

/** Tidies up after machines that are gone. */
function controllers(facts: ClusterFacts, calico: CalicoNetworking): AddonObject {
  const name = 'calico-kube-controllers';
  const labels = { 'k8s-app': name };
  const probe = (what: string) => ({ exec: { command: ['/usr/bin/check-status', what] }, periodSeconds: 10 });
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'kube-system', labels },
    spec: {
      // Two at once would undo each other's work.
      replicas: 1,
      selector: { matchLabels: labels },
      strategy: { type: 'Recreate' },
      template: {
        metadata: { labels },
        spec: {
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          affinity: CONTROL_PLANE_ONLY,
          priorityClassName: 'system-cluster-critical',
          serviceAccountName: name,
          tolerations: [{ operator: 'Exists' }],
          containers: [
            {
              name,
              image: image(facts, calico, 'kube-controllers'),
              imagePullPolicy: 'IfNotPresent',
              env: variables({ ENABLED_CONTROLLERS: 'node', DATASTORE_TYPE: 'kubernetes' }),
              livenessProbe: { ...probe('-l'), initialDelaySeconds: 10, failureThreshold: 6, timeoutSeconds: 10 },
              readinessProbe: probe('-r'),
            },
          ],
        },
      },
    },
  };
}

/** Stands between many machines and the API server, where the spec asks for it. */
function typha(facts: ClusterFacts, calico: CalicoNetworking): readonly AddonObject[] {
  const name = 'calico-typha';
  const labels = { 'k8s-app': name };
  const metrics = calico.typhaPrometheusMetricsEnabled ?? false;
  const metricsPort = calico.typhaPrometheusMetricsPort ?? 9093;
  const probe = (path: string) => ({ httpGet: { host: 'localhost', path, port: 9098 } });
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace: 'kube-system', labels },
      spec: { ports: [{ name, port: 5473, protocol: 'TCP', targetPort: name }], selector: labels },
    },
    disruptionBudget(facts.kubernetesVersion, name, labels),
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace: 'kube-system', labels },
      spec: {
        replicas: calico.typhaReplicas,
        selector: { matchLabels: labels },
        template: {
          metadata: {
            labels,
            annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true' },
          },
          spec: {
            nodeSelector: { 'kubernetes.io/os': 'linux' },
            hostNetwork: true,
            priorityClassName: 'system-cluster-critical',
            // It has the rights of calico-node, whose questions it asks.
            serviceAccountName: 'calico-node',
            tolerations: [{ key: 'CriticalAddonsOnly', operator: 'Exists' }],
            topologySpreadConstraints: spread(labels),
            containers: [
              {
                name,
                image: image(facts, calico, 'typha'),
                imagePullPolicy: 'IfNotPresent',
                envFrom: API_ENDPOINT,
                env: variables({
                  TYPHA_CONNECTIONREBALANCINGMODE: 'kubernetes',
                  TYPHA_DATASTORETYPE: 'kubernetes',
                  TYPHA_HEALTHENABLED: true,
                  TYPHA_LOGFILEPATH: 'none',
                  TYPHA_LOGSEVERITYSCREEN: 'info',
                  TYPHA_LOGSEVERITYSYS: 'none',
                  TYPHA_PROMETHEUSMETRICSENABLED: metrics,
                  TYPHA_PROMETHEUSMETRICSPORT: metricsPort,
                }),
                ports: [
                  { containerPort: 5473, name, protocol: 'TCP' },
                  ...(metrics ? [{ containerPort: metricsPort, name: 'metrics', protocol: 'TCP' }] : []),
                ],
                livenessProbe: { ...probe('/liveness'), periodSeconds: 30, initialDelaySeconds: 30 },
                readinessProbe: { ...probe('/readiness'), periodSeconds: 10 },
                securityContext: { allowPrivilegeEscalation: false, runAsNonRoot: true },
              },
            ],
          },
        },
      },
    },
  ];
}
