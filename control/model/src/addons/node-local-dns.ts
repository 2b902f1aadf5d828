import type { KubeDNSConfig } from '@kopsctl/spec/cluster.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import { completedValue } from '../completed-value.ts';
import { isIpv6Only, publishesNames } from '../discovery.ts';
import type { AddonObject } from './addon-object.ts';
import { EVERY_MACHINE, hostPath } from './pod-parts.ts';
import { DEFAULT_SYSTEM_CALLS } from '../pod-security.ts';

type NodeLocalDns = NonNullable<KubeDNSConfig['nodeLocalDNS']>;

const NAME = 'node-local-dns';
const UPSTREAM = 'kube-dns-upstream';
/** The cache replaces these with the address of the Service UPSTREAM and with the name servers of the machine. */
const CLUSTER_DNS = '__PILLAR__CLUSTER__DNS__';
const MACHINE_DNS = '__PILLAR__UPSTREAM__SERVERS__';
/** kops pkg/wellknownports: NodeLocalDNSHealthCheck. */
const HEALTH_PORT = 3989;
const METRICS_PORT = 9253;

/** A DNS cache on each machine, which kubelet configures in pods (kops addon nodelocaldns.addons.k8s.io). */
export function nodeLocalDnsObjects(facts: ClusterFacts): readonly AddonObject[] {
  const wished = facts.spec.kubeDNS?.nodeLocalDNS ?? {};
  const { localIP = '' } = wished;
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: NAME, namespace: 'kube-system' } },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: UPSTREAM, namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } },
      spec: {
        selector: { 'k8s-app': 'kube-dns' },
        ports: [
          { name: 'dns', port: 53, protocol: 'UDP', targetPort: 53 },
          { name: 'dns-tcp', port: 53, protocol: 'TCP', targetPort: 53 },
        ],
      },
    },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: NAME, namespace: 'kube-system' },
      data: { Corefile: wished.externalCoreFile ?? corefile(facts, localIP) },
    },
    daemonSet(wished, localIP),
  ];
}

function daemonSet(wished: NodeLocalDns, localIP: string): AddonObject {
  const labels = { 'k8s-app': NAME };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: NAME, namespace: 'kube-system', labels },
    spec: {
      selector: { matchLabels: labels },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%' } },
      template: {
        metadata: {
          labels,
          annotations: {
            'prometheus.io/port': String(METRICS_PORT),
            'prometheus.io/scrape': 'true',
            ...wished.podAnnotations,
          },
        },
        spec: {
          ...EVERY_MACHINE,
          securityContext: DEFAULT_SYSTEM_CALLS,
          serviceAccountName: NAME,
          hostNetwork: true,
          // With the cluster's DNS it would forward to itself.
          dnsPolicy: 'Default',
          containers: [
            {
              name: 'node-cache',
              image: wished.image,
              imagePullPolicy: 'IfNotPresent',
              args: [`-localip=${localIP}`, '-conf=/etc/Corefile', `-upstreamsvc=${UPSTREAM}`, '-setupiptables=false'],
              livenessProbe: {
                httpGet: { host: localIP, path: '/health', port: HEALTH_PORT },
                initialDelaySeconds: 60,
                timeoutSeconds: 5,
              },
              ports: [
                { containerPort: 53, name: 'dns', protocol: 'UDP' },
                { containerPort: 53, name: 'dns-tcp', protocol: 'TCP' },
                { containerPort: METRICS_PORT, name: 'metrics', protocol: 'TCP' },
              ],
              resources: {
                requests: { cpu: String(wished.cpuRequest), memory: String(wished.memoryRequest) },
              },
              // It creates an interface with this address.
              securityContext: { allowPrivilegeEscalation: false, capabilities: { add: ['NET_ADMIN'] } },
              volumeMounts: [
                { mountPath: '/run/xtables.lock', name: 'xtables-lock' },
                { mountPath: '/etc/coredns', name: 'config-volume' },
                { mountPath: '/etc/kube-dns', name: 'kube-dns-config' },
              ],
            },
          ],
          volumes: [
            hostPath('xtables-lock', '/run/xtables.lock', 'FileOrCreate'),
            { name: 'kube-dns-config', configMap: { name: 'kube-dns', optional: true } },
            { name: 'config-volume', configMap: { name: NAME, items: [{ key: 'Corefile', path: 'Corefile.base' }] } },
          ],
        },
      },
    },
  };
}

function corefile(facts: ClusterFacts, localIP: string): string {
  const { spec, clusterDomain } = facts;
  const { forwardToKubeDNS, additionalConfig } = spec.kubeDNS?.nodeLocalDNS ?? {};
  // In ipvs mode, kube-proxy binds all Service addresses to an interface of the machine, that of UPSTREAM too.
  const cluster =
    spec.kubeProxy?.proxyMode === 'ipvs'
      ? completedValue('spec.kubeDNS.serverIP', spec.kubeDNS?.serverIP)
      : CLUSTER_DNS;
  const toCluster = [`forward . ${cluster} {`, '  force_tcp', '}'];
  const server = (zone: string, lines: readonly string[]) =>
    [
      `${zone}:53 {`,
      ...['errors', 'reload', 'loop', `bind ${localIP}`, ...lines, `prometheus :${METRICS_PORT}`].map(
        (line) => `    ${line}`,
      ),
      '}',
    ].join('\n');
  return [
    server(clusterDomain, [
      'cache {',
      '  success 9984 30',
      '  denial 9984 5',
      '}',
      ...toCluster,
      `health ${isIpv6Only(facts) ? `[${localIP}]` : localIP}:${HEALTH_PORT}`,
    ]),
    ...(forwardToKubeDNS
      ? [server('.', ['cache 30', ...toCluster])]
      : [
          server('in-addr.arpa', ['cache 30', ...toCluster]),
          server('ip6.arpa', ['cache 30', ...toCluster]),
          // Only the cluster's DNS knows the names of the API.
          ...(publishesNames(facts) ? [] : [server(facts.apiInternalName, ['cache 30', ...toCluster])]),
          server('.', ['cache 30', `forward . ${MACHINE_DNS}`, ...(isIpv6Only(facts) ? ['dns64'] : [])]),
        ]),
    ...(additionalConfig === undefined || additionalConfig === '' ? [] : [additionalConfig]),
  ].join('\n');
}
