import { completedValue } from '../completed-value.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import { renderFlags, type Settings } from '../flags.ts';
import { NOBODY, runAs, UNPRIVILEGED } from '../pod-security.ts';
import type { JsonObject } from '@kopsctl/tasks/task.ts';
import { accountWith, roleIn, type Rule } from './access.ts';
import type { AddonObject } from './addon-object.ts';
import { byKubernetes, type ByKubernetes } from './by-kubernetes.ts';
import { disruptionBudget } from './disruption-budget.ts';
import { spread, variables } from './pod-parts.ts';

const NAME = 'cluster-autoscaler';
const PRIORITIES = 'cluster-autoscaler-priority-expander';
const READ = ['get', 'list', 'watch'];
/**
 * The resources it reads before it adds and drains machines (autoscaler
 * charts/cluster-autoscaler/templates/clusterrole.yaml).
 */
const RULES: readonly Rule[] = [
  { group: '', resources: ['events', 'endpoints'], verbs: ['create', 'patch'] },
  { group: '', resources: ['pods/eviction'], verbs: ['create'] },
  { group: '', resources: ['pods/status'], verbs: ['update'] },
  { group: '', resources: ['nodes'], verbs: [...READ, 'update'] },
  {
    group: '',
    resources: [
      'configmaps',
      'namespaces',
      'persistentvolumeclaims',
      'persistentvolumes',
      'pods',
      'replicationcontrollers',
      'services',
    ],
    verbs: READ,
  },
  { group: 'batch', resources: ['jobs', 'cronjobs'], verbs: [...READ, 'patch'] },
  { group: 'policy', resources: ['poddisruptionbudgets'], verbs: ['list', 'watch'] },
  { group: 'apps', resources: ['daemonsets', 'replicasets', 'statefulsets'], verbs: READ },
  {
    group: 'storage.k8s.io',
    resources: ['csidrivers', 'csinodes', 'csistoragecapacities', 'storageclasses', 'volumeattachments'],
    verbs: READ,
  },
  { group: 'resource.k8s.io', resources: ['deviceclasses', 'resourceclaims', 'resourceslices'], verbs: READ },
  { group: 'coordination.k8s.io', resources: ['leases'], verbs: ['create'] },
  { group: 'coordination.k8s.io', resources: ['leases'], names: [NAME], verbs: ['get', 'update'] },
];

/**
 * Settings that the release for a version of Kubernetes has no flag for: it does not start with a flag that it does not know
 * (autoscaler#4022; kops cluster-autoscaler.addons.k8s.io/k8s-1.15.yaml.template).
 */
const LATER_SETTINGS: ByKubernetes<readonly string[]> = [
  { since: '1.20.0', use: ['emitPerNodegroupMetrics', 'skipNodesWithCustomControllerPods'] },
  { since: '1.22.0', use: ['skipNodesWithCustomControllerPods'] },
  { since: '1.27.0', use: [] },
];

const SELECTED = { app: NAME };
const LABELS = { ...SELECTED, 'app.kubernetes.io/name': NAME, 'k8s-app': NAME };

/** A group of machines in the cloud whose size the autoscaler changes. */
export interface ScaledGroup {
  /** As `--nodes` takes it. */
  readonly name: string;
  readonly minSize: number;
  readonly maxSize: number;
  /** The greatest comes first, where the spec chooses by priority. */
  readonly priority: number;
  /** A regular expression for the id that the cloud's part of the autoscaler gives the group. */
  readonly idPattern: string;
}

/** What the autoscaler is told about a cloud. */
export interface AutoscalerCloud {
  /** In `--cloud-provider`. */
  readonly provider: string;
  readonly groups: readonly ScaledGroup[];
  /** Flags that only this cloud has, by their names in the spec. */
  readonly settings?: Settings;
  readonly env?: Readonly<Record<string, string>>;
  /** Places a pod of this service account where it may call the cloud. */
  readonly callingCloud: (account: string, pod: JsonObject) => JsonObject;
}

/**
 * Scales each group, within its bounds, to the machines that pending pods need (kops addon
 * cluster-autoscaler.addons.k8s.io).
 */
export function clusterAutoscalerObjects(facts: ClusterFacts, cloud: AutoscalerCloud): readonly AddonObject[] {
  const wished = facts.spec.clusterAutoscaler ?? {};
  const { createPriorityExpanderConfig, customPriorityExpanderConfig } = wished;
  const expander = completedValue('spec.clusterAutoscaler.expander', wished.expander);
  const priorities = customPriorityExpanderConfig ?? prioritiesOf(cloud.groups);
  return [
    ...accountWith(NAME, NAME, RULES),
    ...roleIn(NAME, NAME, [
      { group: '', resources: ['configmaps'], verbs: ['create'] },
      {
        group: '',
        resources: ['configmaps'],
        names: ['cluster-autoscaler-status', PRIORITIES],
        verbs: [...READ, 'delete', 'update'],
      },
    ]),
    ...(expander.split(',').includes('priority') && createPriorityExpanderConfig === true
      ? [
          {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: PRIORITIES, namespace: 'kube-system' },
            // JSON is YAML.
            data: { priorities: JSON.stringify(priorities, null, 2) },
          },
        ]
      : []),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: NAME, namespace: 'kube-system', labels: LABELS },
      spec: { selector: SELECTED, ports: [{ name: 'http', port: 8085, protocol: 'TCP', targetPort: 8085 }] },
    },
    disruptionBudget(facts.kubernetes, NAME, SELECTED),
    deployment(facts, cloud, flagsOf(facts, cloud, expander)),
  ];
}

function deployment({ spec }: ClusterFacts, cloud: AutoscalerCloud, flags: readonly string[]): AddonObject {
  const wished = spec.clusterAutoscaler ?? {};
  const env = variables(cloud.env ?? {});
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: NAME, namespace: 'kube-system', labels: LABELS },
    spec: {
      replicas: 1,
      selector: { matchLabels: SELECTED },
      // Two replicas on one machine would compete for its port.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
      template: {
        metadata: {
          labels: LABELS,
          annotations: { 'prometheus.io/port': '8085', 'prometheus.io/scrape': 'true', ...wished.podAnnotations },
        },
        spec: cloud.callingCloud(NAME, {
          priorityClassName: 'system-cluster-critical',
          securityContext: runAs(NOBODY),
          topologySpreadConstraints: spread(SELECTED),
          containers: [
            {
              name: NAME,
              image: completedValue('spec.clusterAutoscaler.image', wished.image),
              imagePullPolicy: 'IfNotPresent',
              command: ['./cluster-autoscaler', ...flags],
              ...(env.length > 0 && { env }),
              livenessProbe: {
                httpGet: { path: '/health-check', port: 'http' },
                failureThreshold: 3,
                periodSeconds: 10,
              },
              ports: [{ containerPort: 8085, name: 'http', protocol: 'TCP' }],
              resources: {
                requests: {
                  cpu: String(wished.cpuRequest),
                  memory: String(wished.memoryRequest),
                },
              },
              securityContext: UNPRIVILEGED,
            },
          ],
        }),
      },
    },
  };
}

function flagsOf(
  { spec, kubernetesVersion }: ClusterFacts,
  cloud: AutoscalerCloud,
  expander: string,
): readonly string[] {
  const wished = spec.clusterAutoscaler ?? {};
  const flags = renderFlags(
    {
      ...cloud.settings,
      balanceSimilarNodeGroups: wished.balanceSimilarNodeGroups,
      cloudProvider: cloud.provider,
      cordonNodeBeforeTerminating: wished.cordonNodeBeforeTerminating,
      emitPerNodegroupMetrics: wished.emitPerNodegroupMetrics,
      expander,
      ignoreDaemonsetsUtilization: wished.ignoreDaemonSetsUtilization,
      logtostderr: true,
      maxNodeProvisionTime: wished.maxNodeProvisionTime,
      newPodScaleUpDelay: wished.newPodScaleUpDelay,
      scaleDownDelayAfterAdd: wished.scaleDownDelayAfterAdd,
      scaleDownUnneededTime: wished.scaleDownUnneededTime,
      scaleDownUnreadyTime: wished.scaleDownUnreadyTime,
      scaleDownUtilizationThreshold: wished.scaleDownUtilizationThreshold,
      skipNodesWithCustomControllerPods: wished.skipNodesWithCustomControllerPods,
      skipNodesWithLocalStorage: wished.skipNodesWithLocalStorage,
      skipNodesWithSystemPods: wished.skipNodesWithSystemPods,
      stderrthreshold: 'info',
      v: 4,
    },
    { names: Object.fromEntries(byKubernetes(LATER_SETTINGS, kubernetesVersion).map((setting) => [setting, ''])) },
  );
  return [...flags, ...cloud.groups.map(({ minSize, maxSize, name }) => `--nodes=${minSize}:${maxSize}:${name}`)];
}

/** The ids of groups by priority, as the autoscaler reads them. */
function prioritiesOf(groups: readonly ScaledGroup[]): Readonly<Record<string, readonly string[]>> {
  const byPriority = Object.groupBy(groups, ({ priority }) => String(priority));
  return Object.fromEntries(
    Object.entries(byPriority).map(([priority, members = []]) => [priority, members.map(({ idPattern }) => idPattern)]),
  );
}
