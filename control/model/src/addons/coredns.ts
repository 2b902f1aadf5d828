import type { ClusterFacts } from '../cluster-facts.ts';
import { accountWith } from './access.ts';
import type { AddonObject } from './addon-object.ts';
import { clusterDns, DNS_PODS } from './cluster-dns.ts';

const LABELS = { ...DNS_PODS, 'kubernetes.io/cluster-service': 'true', 'kubernetes.io/name': 'CoreDNS' };
const CONFIG = 'coredns';

/** The names of Services and pods (kops addon coredns.addons.k8s.io), and as many servers as the cluster's size asks for. */
export function corednsObjects(facts: ClusterFacts): readonly AddonObject[] {
  return [
    ...accountWith('coredns', 'system:coredns', [
      { group: '', resources: ['endpoints', 'services', 'pods', 'namespaces'], verbs: ['list', 'watch'] },
      { group: 'discovery.k8s.io', resources: ['endpointslices'], verbs: ['list', 'watch'] },
    ]),
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: CONFIG, namespace: 'kube-system' },
      data: { Corefile: facts.spec.kubeDNS?.externalCoreFile ?? corefile(facts) },
    },
    deployment(facts),
    ...clusterDns(facts, { name: 'coredns', labels: LABELS, metricsPort: 9153 }),
  ];
}

function corefile({ clusterDomain, spec }: ClusterFacts): string {
  const { upstreamNameservers = [], stubDomains = {}, cacheMaxSize } = spec.kubeDNS ?? {};
  const upstream = upstreamNameservers.length === 0 ? '/etc/resolv.conf' : upstreamNameservers.join(' ');
  const cache = cacheMaxSize === undefined || cacheMaxSize === 1000 ? [] : ['success', String(cacheMaxSize)];
  const server = (zone: string, lines: readonly string[]) =>
    [`${zone}:53 {`, ...lines.map((line) => `    ${line}`), '}'].join('\n');
  return [
    server('.', [
      'errors',
      'health {',
      '  lameduck 10s',
      '}',
      'ready',
      `kubernetes ${clusterDomain}. in-addr.arpa ip6.arpa {`,
      '  pods insecure',
      '  fallthrough in-addr.arpa ip6.arpa',
      '  ttl 30',
      '}',
      'prometheus :9153',
      `forward . ${upstream} {`,
      '  max_concurrent 1000',
      '}',
      ...(cache.length === 0 ? ['cache 30'] : ['cache 30 {', `  ${cache.join(' ')}`, '}']),
      'loop',
      'reload',
      'loadbalance',
    ]),
    ...Object.entries(stubDomains).map(([zone, servers]) =>
      server(zone, ['errors', 'cache 30', `forward . ${servers.join(' ')}`]),
    ),
  ].join('\n');
}

function deployment({ spec }: ClusterFacts): AddonObject {
  const { cpuRequest, memoryRequest, memoryLimit, coreDNSImage } = spec.kubeDNS ?? {};
  const spread = (topologyKey: string, whenUnsatisfiable: string) => ({
    labelSelector: { matchLabels: DNS_PODS },
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable,
  });
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'coredns', namespace: 'kube-system', labels: LABELS },
    // The autoscaler sets the number of replicas.
    spec: {
      selector: { matchLabels: DNS_PODS },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '10%', maxUnavailable: 1 } },
      template: {
        metadata: { labels: DNS_PODS },
        spec: {
          priorityClassName: 'system-cluster-critical',
          serviceAccountName: 'coredns',
          dnsPolicy: 'Default',
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          tolerations: [{ key: 'CriticalAddonsOnly', operator: 'Exists' }],
          topologySpreadConstraints: [
            spread('topology.kubernetes.io/zone', 'ScheduleAnyway'),
            spread('kubernetes.io/hostname', 'ScheduleAnyway'),
          ],
          containers: [
            {
              name: 'coredns',
              image: coreDNSImage,
              imagePullPolicy: 'IfNotPresent',
              args: ['-conf', '/etc/coredns/Corefile'],
              ports: [
                { containerPort: 53, name: 'dns', protocol: 'UDP' },
                { containerPort: 53, name: 'dns-tcp', protocol: 'TCP' },
                { containerPort: 9153, name: 'metrics', protocol: 'TCP' },
              ],
              livenessProbe: {
                httpGet: { path: '/health', port: 8080 },
                initialDelaySeconds: 60,
                timeoutSeconds: 5,
                failureThreshold: 5,
              },
              readinessProbe: { httpGet: { path: '/ready', port: 8181 }, periodSeconds: 5, timeoutSeconds: 5 },
              resources: {
                limits: { memory: String(memoryLimit) },
                requests: { cpu: String(cpuRequest), memory: String(memoryRequest) },
              },
              securityContext: {
                allowPrivilegeEscalation: false,
                capabilities: { add: ['NET_BIND_SERVICE'], drop: ['all'] },
                readOnlyRootFilesystem: true,
              },
              volumeMounts: [{ mountPath: '/etc/coredns', name: 'config-volume', readOnly: true }],
            },
          ],
          volumes: [{ name: 'config-volume', configMap: { name: CONFIG } }],
        },
      },
    },
  };
}
