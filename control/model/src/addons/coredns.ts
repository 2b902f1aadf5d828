import type { JsonObject } from '@kopsctl/tasks/task.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import { completedValue } from '../completed-value.ts';
import { isIpv6Only, publishesNames } from '../discovery.ts';
import { POD_HOSTS } from '../node/paths.ts';
import { accountWith } from './access.ts';
import type { AddonObject } from './addon-object.ts';
import { clusterDns, DNS_PODS, placementOfDns, replicasOfDns } from './cluster-dns.ts';
import { hostPath } from './pod-parts.ts';
import { DEFAULT_SYSTEM_CALLS } from '../pod-security.ts';

const LABELS = { ...DNS_PODS, 'kubernetes.io/cluster-service': 'true', 'kubernetes.io/name': 'CoreDNS' };
const CONFIG = 'coredns';
/** The mount of the machine's hosts file in the pod, as in kops. */
const HOSTS = '/rootfs/etc/hosts';

/** Cluster DNS by CoreDNS, scaled with the size of the cluster (kops addon coredns.addons.k8s.io). */
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

/**
 * Answers for the API's names where only the machines know them: pods look up the issuer of service accounts. CoreDNS checks by
 * default every five seconds whether the file has changed and, if so, reads it again, and an answer is kept for as long, so a
 * control plane that takes another's place is found soon.
 */
function namesOfMachines(facts: ClusterFacts): readonly string[] {
  const names = [...new Set([facts.apiInternalName, facts.apiPublicName])];
  return publishesNames(facts)
    ? []
    : [`hosts ${HOSTS} ${names.join(' ')} {`, '  ttl 5', '  no_reverse', '  fallthrough', '}'];
}

function corefile(facts: ClusterFacts): string {
  const { clusterDomain, spec } = facts;
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
      ...namesOfMachines(facts),
      'prometheus :9153',
      `forward . ${upstream} {`,
      '  max_concurrent 1000',
      '}',
      ...(cache.length === 0 ? ['cache 30'] : ['cache 30 {', `  ${cache.join(' ')}`, '}']),
      'loop',
      'reload',
      'loadbalance',
      // Pods reach hosts that have only IPv4 through the NAT64 of the network (RFC 6147).
      ...(isIpv6Only(facts) ? ['dns64'] : []),
    ]),
    ...Object.entries(stubDomains).map(([zone, servers]) =>
      server(zone, ['errors', 'cache 30', `forward . ${servers.join(' ')}`]),
    ),
  ].join('\n');
}

/** Names of the API that are not in DNS are in the hosts file of the machine. */
const usesHosts = (facts: ClusterFacts): boolean => !publishesNames(facts);

function deployment(facts: ClusterFacts): AddonObject {
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
    spec: {
      ...replicasOfDns(facts),
      selector: { matchLabels: DNS_PODS },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '10%', maxUnavailable: 1 } },
      template: {
        metadata: placementOfDns(facts).metadata,
        spec: {
          priorityClassName: 'system-cluster-critical',
          securityContext: DEFAULT_SYSTEM_CALLS,
          serviceAccountName: 'coredns',
          dnsPolicy: 'Default',
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          ...placementOfDns(facts).affinity,
          tolerations: placementOfDns(facts).tolerations,
          topologySpreadConstraints: [
            spread('topology.kubernetes.io/zone', 'ScheduleAnyway'),
            spread('kubernetes.io/hostname', 'ScheduleAnyway'),
          ],
          containers: [container(facts)],
          volumes: [
            { name: 'config-volume', configMap: { name: CONFIG } },
            ...(usesHosts(facts) ? [hostPath('etc-hosts', POD_HOSTS, 'File')] : []),
          ],
        },
      },
    },
  };
}

function container(facts: ClusterFacts): JsonObject {
  const { cpuRequest, memoryRequest, memoryLimit, coreDNSImage } = facts.spec.kubeDNS ?? {};
  return {
    name: 'coredns',
    image: completedValue('spec.kubeDNS.coreDNSImage', coreDNSImage),
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
    // A cluster is not valid before this pod is ready, so the probe runs often.
    readinessProbe: {
      httpGet: { path: '/ready', port: 8181 },
      periodSeconds: 1,
      timeoutSeconds: 5,
      failureThreshold: 15,
    },
    resources: {
      limits: { memory: String(memoryLimit) },
      requests: { cpu: String(cpuRequest), memory: String(memoryRequest) },
    },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { add: ['NET_BIND_SERVICE'], drop: ['all'] },
      readOnlyRootFilesystem: true,
    },
    volumeMounts: [
      { mountPath: '/etc/coredns', name: 'config-volume', readOnly: true },
      ...(usesHosts(facts) ? [{ mountPath: HOSTS, name: 'etc-hosts', readOnly: true }] : []),
    ],
  };
}
