import type { CalicoNetworking } from '@kopsctl/spec/cluster.ts';
import type { JsonObject } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from '../../cluster-facts.ts';
import { completedValue } from '../../completed-value.ts';
import type { AddonObject } from '../addon-object.ts';
import { EVERY_MACHINE, fieldVariable, hostPath, variables } from '../pod-parts.ts';
import { API_ENDPOINT, CALICO_CONFIG, isIpv6, sourceCheck, type Tunnels, tunnelsOf } from './calico-config.ts';
import { calicoImage, mountsBpf } from './calico-release.ts';

const fromConfig = (name: string, key: string): JsonObject => ({
  name,
  valueFrom: { configMapKeyRef: { name: CALICO_CONFIG, key } },
});
const NODE_NAME = (name: string) => fieldVariable(name, 'spec.nodeName');

/** The agent that runs on every machine: it assigns pod addresses and enforces policies. */
export function calicoNode(facts: ClusterFacts, calico: CalicoNetworking, usesTypha: boolean): AddonObject {
  const labels = { 'k8s-app': 'calico-node' };
  const bpf = mountsBpf(calico);
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
          // Its state is in the kernel, so a restart without a grace period does not interrupt traffic.
          terminationGracePeriodSeconds: 0,
          initContainers: [installer(calico), ...(bpf ? [bpfMounter(calico)] : [])],
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
            ...(bpf ? [hostPath('sys-fs', '/sys/fs', 'DirectoryOrCreate'), hostPath('nodeproc', '/proc')] : []),
          ],
        },
      },
    },
  };
}

const installer = (calico: CalicoNetworking): JsonObject => ({
  name: 'install-cni',
  image: calicoImage(calico, 'cni'),
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

const bpfMounter = (calico: CalicoNetworking): JsonObject => ({
  name: 'mount-bpffs',
  image: calicoImage(calico, 'node'),
  imagePullPolicy: 'IfNotPresent',
  command: ['calico-node', '-init', '-best-effort'],
  securityContext: { privileged: true },
  // The mounts have to outlive this container.
  volumeMounts: [
    { mountPath: '/sys/fs', mountPropagation: 'Bidirectional', name: 'sys-fs' },
    { mountPath: '/var/run/calico', mountPropagation: 'Bidirectional', name: 'var-run-calico' },
    { mountPath: '/nodeproc', name: 'nodeproc', readOnly: true },
  ],
});

function agent(facts: ClusterFacts, calico: CalicoNetworking, usesTypha: boolean): JsonObject {
  const ipv6 = isIpv6(facts);
  const tunnels = tunnelsOf(calico);
  const bird = tunnels.backend === 'bird' ? (ipv6 ? 'bird6' : 'bird') : undefined;
  const probe = (what: 'live' | 'ready') => ({
    exec: { command: ['/bin/calico-node', `-felix-${what}`, ...(bird === undefined ? [] : [`-${bird}-${what}`])] },
    periodSeconds: 10,
    timeoutSeconds: 10,
  });
  const metricsPort = completedValue('spec.networking.calico.prometheusMetricsPort', calico.prometheusMetricsPort);
  return {
    name: 'calico-node',
    image: calicoImage(calico, 'node'),
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
    resources: { requests: { cpu: String(calico.cpuRequest) } },
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

/** The pools of pod addresses, and how the address of the machine is detected. */
function addressing(facts: ClusterFacts, calico: CalicoNetworking, tunnels: Tunnels) {
  const { ipv4AutoDetectionMethod: v4, ipv6AutoDetectionMethod: v6 } = calico;
  if (isIpv6(facts)) {
    return {
      IP: 'none',
      IP6: 'autodetect',
      IP_AUTODETECTION_METHOD: v4,
      IP6_AUTODETECTION_METHOD: v6,
      CALICO_ROUTER_ID: 'hash',
      NO_DEFAULT_POOLS: true,
      USE_POD_CIDR: true,
      FELIX_IPV6SUPPORT: true,
    };
  }
  return {
    IP: 'autodetect',
    IP6: 'none',
    IP_AUTODETECTION_METHOD: v4,
    IP6_AUTODETECTION_METHOD: v6,
    CALICO_IPV4POOL_CIDR: facts.podRange,
    CALICO_IPV4POOL_IPIP: tunnels.ipip,
    CALICO_IPV4POOL_VXLAN: tunnels.vxlan,
    CALICO_IPV6POOL_VXLAN: 'Never',
    FELIX_IPV6SUPPORT: false,
  };
}

/** Settings of Felix, which enforces policies, by kops's fields. */
function felix(facts: ClusterFacts, calico: CalicoNetworking, metricsPort: number) {
  return {
    FELIX_AWSSRCDSTCHECK: sourceCheck(facts, calico),
    FELIX_BPFENABLED: calico.bpfEnabled,
    FELIX_BPFEXTERNALSERVICEMODE: calico.bpfExternalServiceMode,
    FELIX_BPFKUBEPROXYIPTABLESCLEANUPENABLED: calico.bpfKubeProxyIptablesCleanupEnabled,
    FELIX_BPFLOGLEVEL: calico.bpfLogLevel,
    FELIX_CHAININSERTMODE: calico.chainInsertMode,
    FELIX_DEFAULTENDPOINTTOHOSTACTION: 'ACCEPT',
    FELIX_HEALTHENABLED: true,
    FELIX_IPTABLESBACKEND: calico.iptablesBackend,
    FELIX_LOGSEVERITYSCREEN: calico.logSeverityScreen,
    FELIX_NFTABLESMODE: calico.nftablesMode,
    FELIX_PROMETHEUSGOMETRICSENABLED: calico.prometheusGoMetricsEnabled,
    FELIX_PROMETHEUSMETRICSENABLED: calico.prometheusMetricsEnabled,
    FELIX_PROMETHEUSMETRICSPORT: metricsPort,
    FELIX_PROMETHEUSPROCESSMETRICSENABLED: calico.prometheusProcessMetricsEnabled,
    FELIX_WIREGUARDENABLED: calico.wireguardEnabled,
  };
}
