import type { JsonObject } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import type { AddonObject } from './addon-object.ts';
import { clusterDns, DNS_PODS, placementOfDns, replicasOfDns } from './cluster-dns.ts';
import { variables } from './pod-parts.ts';
import { DEFAULT_SYSTEM_CALLS, UNPRIVILEGED } from '../pod-security.ts';

const NAME = 'kube-dns';
const LABELS = { ...DNS_PODS, 'kubernetes.io/cluster-service': 'true', 'kubernetes.io/name': 'KubeDNS' };
/** The three are one release of github.com/kubernetes/dns. */
export const kubeDnsImage = (part: string): string => `registry.k8s.io/dns/k8s-dns-${part}:1.22.28`;
/** The user of kubedns and of its sidecar in Kubernetes's own manifest. */
const AS_UPSTREAM = { ...UNPRIVILEGED, runAsGroup: 1001, runAsNonRoot: true, runAsUser: 1001 };
/** Where kubedns serves the cluster's names to dnsmasq beside it. */
const KUBEDNS_PORT = 10053;

/** Cluster DNS by kube-dns, the older server (kops addon kube-dns.addons.k8s.io). */
export function kubeDnsObjects(facts: ClusterFacts): readonly AddonObject[] {
  const { upstreamNameservers = [], stubDomains = {} } = facts.spec.kubeDNS ?? {};
  return [
    // Kubernetes has a default role for this account.
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: NAME, namespace: 'kube-system' } },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: NAME, namespace: 'kube-system' },
      data: {
        ...(upstreamNameservers.length === 0 ? {} : { upstreamNameservers: JSON.stringify(upstreamNameservers) }),
        ...(Object.keys(stubDomains).length === 0 ? {} : { stubDomains: JSON.stringify(stubDomains) }),
      },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: NAME, namespace: 'kube-system', labels: LABELS },
      spec: {
        ...replicasOfDns(facts),
        selector: { matchLabels: DNS_PODS },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '10%', maxUnavailable: 0 } },
        template: {
          metadata: placementOfDns(facts).metadata,
          spec: {
            dnsPolicy: 'Default',
            nodeSelector: { 'kubernetes.io/os': 'linux' },
            priorityClassName: 'system-cluster-critical',
            securityContext: { ...DEFAULT_SYSTEM_CALLS, fsGroup: 65_534, supplementalGroups: [65_534] },
            serviceAccountName: NAME,
            ...placementOfDns(facts).affinity,
            tolerations: placementOfDns(facts).tolerations,
            containers: [kubedns(facts), dnsmasq(facts), sidecar(facts)],
            volumes: [{ name: 'kube-dns-config', configMap: { name: NAME, optional: true } }],
          },
        },
      },
    },
    ...clusterDns(facts, { name: NAME, labels: LABELS, metricsPort: 10055 }),
  ];
}

const health = (path: string, port: number): JsonObject => ({
  httpGet: { path, port, scheme: 'HTTP' },
  failureThreshold: 5,
  initialDelaySeconds: 60,
  timeoutSeconds: 5,
});

function kubedns({ spec, clusterDomain }: ClusterFacts): JsonObject {
  const { cpuRequest, memoryLimit, memoryRequest } = spec.kubeDNS ?? {};
  return {
    name: 'kubedns',
    image: kubeDnsImage('kube-dns'),
    imagePullPolicy: 'IfNotPresent',
    args: [`--config-dir=/kube-dns-config`, `--dns-port=${KUBEDNS_PORT}`, `--domain=${clusterDomain}.`, '--v=2'],
    env: variables({ PROMETHEUS_PORT: 10055 }),
    livenessProbe: health('/healthcheck/kubedns', 10054),
    readinessProbe: {
      httpGet: { path: '/readiness', port: 8081, scheme: 'HTTP' },
      initialDelaySeconds: 3,
      timeoutSeconds: 5,
    },
    ports: [
      { containerPort: KUBEDNS_PORT, name: 'dns-local', protocol: 'UDP' },
      { containerPort: 10055, name: 'metrics', protocol: 'TCP' },
    ],
    resources: {
      limits: { memory: String(memoryLimit) },
      requests: { cpu: String(cpuRequest), memory: String(memoryRequest) },
    },
    securityContext: AS_UPSTREAM,
    volumeMounts: [{ mountPath: '/kube-dns-config', name: 'kube-dns-config' }],
  };
}

/** The cache that pods query; it forwards to kubedns or to upstream servers. */
function dnsmasq({ spec, clusterDomain }: ClusterFacts): JsonObject {
  const { cacheMaxConcurrent, cacheMaxSize } = spec.kubeDNS ?? {};
  return {
    name: 'dnsmasq',
    image: kubeDnsImage('dnsmasq-nanny'),
    imagePullPolicy: 'IfNotPresent',
    args: [
      '-v=2',
      '-logtostderr',
      '-configDir=/etc/k8s/dns/dnsmasq-nanny',
      '-restartDnsmasq=true',
      '--',
      '-k',
      `--cache-size=${cacheMaxSize}`,
      `--dns-forward-max=${cacheMaxConcurrent}`,
      '--no-negcache',
      '--log-facility=-',
      ...[clusterDomain, 'in-addr.arpa', 'ip6.arpa'].map((zone) => `--server=/${zone}/127.0.0.1#${KUBEDNS_PORT}`),
    ],
    livenessProbe: health('/healthcheck/dnsmasq', 10054),
    ports: [
      { containerPort: 53, name: 'dns', protocol: 'UDP' },
      { containerPort: 53, name: 'dns-tcp', protocol: 'TCP' },
    ],
    resources: { requests: { cpu: '150m', memory: '20Mi' } },
    // dnsmasq gives up being root by itself.
    securityContext: { capabilities: { add: ['NET_BIND_SERVICE', 'SETGID'], drop: ['ALL'] } },
    volumeMounts: [{ mountPath: '/etc/k8s/dns/dnsmasq-nanny', name: 'kube-dns-config' }],
  };
}

/** Reports the health of both servers to kubelet, and their metrics. */
const sidecar = ({ clusterDomain }: ClusterFacts): JsonObject => ({
  name: 'sidecar',
  image: kubeDnsImage('sidecar'),
  imagePullPolicy: 'IfNotPresent',
  args: [
    '--v=2',
    '--logtostderr',
    `--probe=kubedns,127.0.0.1:${KUBEDNS_PORT},kubernetes.default.svc.${clusterDomain},5,SRV`,
    `--probe=dnsmasq,127.0.0.1:53,kubernetes.default.svc.${clusterDomain},5,SRV`,
  ],
  livenessProbe: health('/metrics', 10054),
  ports: [{ containerPort: 10054, name: 'sidecar', protocol: 'TCP' }],
  resources: { requests: { cpu: '10m', memory: '20Mi' } },
  securityContext: AS_UPSTREAM,
});
