import semver from 'semver';
import type { ClusterFacts } from '../cluster-facts.ts';
import { accountWith } from './access.ts';
import type { AddonObject } from './addon-object.ts';

const IMAGE = 'registry.k8s.io/coredns/coredns:v1.14.2';
const AUTOSCALER_IMAGE = 'registry.k8s.io/cpa/cluster-proportional-autoscaler:v1.9.0';
const SELECTOR = { 'k8s-app': 'kube-dns' };
const SERVICE_LABELS = { ...SELECTOR, 'kubernetes.io/cluster-service': 'true', 'kubernetes.io/name': 'CoreDNS' };
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
    service(facts),
    disruptionBudget(facts),
    ...autoscaler(),
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
  const { cpuRequest = '100m', memoryRequest = '70Mi', memoryLimit = '170Mi', coreDNSImage } = spec.kubeDNS ?? {};
  const spread = (topologyKey: string, whenUnsatisfiable: string) => ({
    labelSelector: { matchLabels: SELECTOR },
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable,
  });
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'coredns', namespace: 'kube-system', labels: SERVICE_LABELS },
    // How many there are is the autoscaler's to say.
    spec: {
      selector: { matchLabels: SELECTOR },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '10%', maxUnavailable: 1 } },
      template: {
        metadata: { labels: SELECTOR },
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
              image: coreDNSImage ?? IMAGE,
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

function service({ spec }: ClusterFacts): AddonObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'kube-dns',
      namespace: 'kube-system',
      labels: SERVICE_LABELS,
      annotations: { 'prometheus.io/port': '9153', 'prometheus.io/scrape': 'true' },
    },
    spec: {
      clusterIP: spec.kubeDNS?.serverIP,
      selector: SELECTOR,
      ports: [
        { name: 'dns', port: 53, protocol: 'UDP' },
        { name: 'dns-tcp', port: 53, protocol: 'TCP' },
        { name: 'metrics', port: 9153, protocol: 'TCP' },
      ],
    },
  };
}

function disruptionBudget({ kubernetesVersion }: ClusterFacts): AddonObject {
  return {
    apiVersion: semver.gte(kubernetesVersion, '1.21.0') ? 'policy/v1' : 'policy/v1beta1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'kube-dns', namespace: 'kube-system' },
    spec: { maxUnavailable: '33%', selector: { matchLabels: SELECTOR } },
  };
}

function autoscaler(): readonly AddonObject[] {
  const name = 'coredns-autoscaler';
  const labels = { 'k8s-app': name };
  const parameters = { linear: { coresPerReplica: 256, nodesPerReplica: 16, preventSinglePointFailure: true } };
  return [
    ...accountWith(name, name, [
      { group: '', resources: ['nodes'], verbs: ['list', 'watch'] },
      { group: 'apps', resources: ['deployments/scale'], verbs: ['get', 'update'] },
      { group: '', resources: ['configmaps'], verbs: ['get', 'create'] },
    ]),
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace: 'kube-system', labels },
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            priorityClassName: 'system-cluster-critical',
            serviceAccountName: name,
            nodeSelector: { 'kubernetes.io/os': 'linux' },
            tolerations: [{ key: 'CriticalAddonsOnly', operator: 'Exists' }],
            containers: [
              {
                name: 'autoscaler',
                image: AUTOSCALER_IMAGE,
                command: [
                  '/cluster-proportional-autoscaler',
                  '--namespace=kube-system',
                  `--configmap=${name}`,
                  '--target=Deployment/coredns',
                  `--default-params=${JSON.stringify(parameters)}`,
                  '--logtostderr=true',
                  '--v=2',
                ],
                resources: { requests: { cpu: '20m', memory: '10Mi' } },
              },
            ],
          },
        },
      },
    },
  ];
}
