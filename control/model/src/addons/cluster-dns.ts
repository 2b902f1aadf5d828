import type { ClusterFacts } from '../cluster-facts.ts';
import { completedValue } from '../completed-value.ts';
import { runnableImage } from '../images/runnable-image.ts';
import type { JsonObject } from '@kopsctl/tasks/task.ts';
import { accountWith } from './access.ts';
import type { AddonObject } from './addon-object.ts';
import { ON_CONTROL_PLANES } from './control-plane-only.ts';
import { disruptionBudget } from './disruption-budget.ts';
import { NOBODY, runAs, UNPRIVILEGED } from '../pod-security.ts';

/** The label of DNS pods, whichever program they run. */
export const DNS_PODS = { 'k8s-app': 'kube-dns' };

interface DnsServer {
  /** Name of the Deployment. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly metricsPort: number;
}

/**
 * Objects of every DNS server besides its Deployment: the Service, whose address kubelet configures in pods, and the autoscaler.
 */
export const clusterDns = (facts: ClusterFacts, server: DnsServer): readonly AddonObject[] => [
  service(facts, server),
  disruptionBudget(facts.kubernetes, 'kube-dns', DNS_PODS, '33%'),
  ...(hasAutoscaler(facts) ? autoscaler(facts, server.name) : []),
];

const autoscalerImage = ({ spec }: ClusterFacts): string =>
  completedValue('spec.kubeDNS.cpaImage', spec.kubeDNS?.cpaImage);

const hasAutoscaler = (facts: ClusterFacts): boolean => runnableImage(facts, autoscalerImage(facts)) !== undefined;

/** Without an autoscaler, the minimum number of servers that it would run. */
export const replicasOfDns = (facts: ClusterFacts): { readonly replicas?: number } =>
  hasAutoscaler(facts) ? {} : { replicas: 2 };

interface DnsPlacement {
  readonly metadata: { readonly labels: typeof DNS_PODS; readonly annotations?: Readonly<Record<string, string>> };
  readonly affinity: JsonObject;
  readonly tolerations: readonly JsonObject[];
}

/**
 * What the spec says about where servers run and about their annotations. Tolerations in the spec replace the tolerations that the pods
 * have otherwise, as in kops.
 */
export function placementOfDns({ spec }: ClusterFacts): DnsPlacement {
  const { affinity, podAnnotations = {}, tolerations = [] } = spec.kubeDNS ?? {};
  const annotated = Object.keys(podAnnotations).length > 0;
  return {
    metadata: { labels: DNS_PODS, ...(annotated && { annotations: podAnnotations }) },
    affinity: affinity === undefined ? {} : { affinity: jsonOf(affinity) },
    tolerations:
      tolerations.length === 0
        ? [{ key: 'CriticalAddonsOnly', operator: 'Exists' }]
        : tolerations.map((one) => jsonOf(one)),
  };
}

/** Fields of Kubernetes's own API, which the spec holds as Kubernetes writes them. */
const jsonOf = (value: object): JsonObject => JSON.parse(JSON.stringify(value));

const service = ({ spec }: ClusterFacts, { labels, metricsPort }: DnsServer): AddonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    name: 'kube-dns',
    namespace: 'kube-system',
    labels: { ...labels },
    annotations: { 'prometheus.io/port': String(metricsPort), 'prometheus.io/scrape': 'true' },
  },
  spec: {
    clusterIP: spec.kubeDNS?.serverIP,
    selector: DNS_PODS,
    ports: [
      { name: 'dns', port: 53, protocol: 'UDP' },
      { name: 'dns-tcp', port: 53, protocol: 'TCP' },
      { name: 'metrics', port: metricsPort, protocol: 'TCP' },
    ],
  },
});

function autoscaler(facts: ClusterFacts, server: string): readonly AddonObject[] {
  const name = `${server}-autoscaler`;
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
            securityContext: runAs(NOBODY),
            serviceAccountName: name,
            nodeSelector: { 'kubernetes.io/os': 'linux' },
            // It scales Deployments and makes ConfigMaps.
            ...ON_CONTROL_PLANES,
            containers: [
              {
                name: 'autoscaler',
                image: autoscalerImage(facts),
                command: [
                  '/cluster-proportional-autoscaler',
                  '--namespace=kube-system',
                  `--configmap=${name}`,
                  `--target=Deployment/${server}`,
                  `--default-params=${JSON.stringify(parameters)}`,
                  '--logtostderr=true',
                  '--v=2',
                ],
                resources: { requests: { cpu: '20m', memory: '10Mi' } },
                securityContext: UNPRIVILEGED,
              },
            ],
          },
        },
      },
    },
  ];
}
