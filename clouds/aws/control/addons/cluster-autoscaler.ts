import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import { autoscalingGroupName, isScaledByAws } from '../model/group-names.ts';
import { regionOf } from '../region.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { completedValue } from '@kopsctl/model/completed-value.ts';
import { renderFlags } from '@kopsctl/model/flags.ts';
import { accountWith, roleIn, type Rule } from '@kopsctl/model/addons/access.ts';
import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';
import { disruptionBudget } from '@kopsctl/model/addons/disruption-budget.ts';
import { spread, variables } from '@kopsctl/model/addons/pod-parts.ts';
import { callingAws } from './aws-identity.ts';
import { NOBODY, runAs, UNPRIVILEGED } from '@kopsctl/model/pod-security.ts';

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

const SELECTED = { app: NAME };
const LABELS = { ...SELECTED, 'app.kubernetes.io/name': NAME, 'k8s-app': NAME };

/**
 * Scales each group, within its bounds, to the machines that pending pods need (kops addon
 * cluster-autoscaler.addons.k8s.io).
 */
export function clusterAutoscalerObjects(
  facts: ClusterFacts,
  groups: readonly InstanceGroup[],
): readonly AddonObject[] {
  const wished = facts.spec.clusterAutoscaler ?? {};
  const { createPriorityExpanderConfig, customPriorityExpanderConfig } = wished;
  const expander = completedValue('spec.clusterAutoscaler.expander', wished.expander);
  const scaled = groups.filter(
    (group) => roleOf(group) === 'Node' && group.spec.autoscale === true && isScaledByAws(group),
  );
  const priorities = customPriorityExpanderConfig ?? prioritiesOf(facts, scaled);
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
    disruptionBudget(facts.kubernetesVersion, NAME, SELECTED),
    deployment(facts, flagsOf(facts, expander, scaled)),
  ];
}

function deployment(facts: ClusterFacts, flags: readonly string[]): AddonObject {
  const wished = facts.spec.clusterAutoscaler ?? {};
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
        spec: callingAws(facts, NAME, {
          priorityClassName: 'system-cluster-critical',
          securityContext: runAs(NOBODY),
          topologySpreadConstraints: spread(SELECTED),
          containers: [
            {
              name: NAME,
              image: completedValue('spec.clusterAutoscaler.image', wished.image),
              imagePullPolicy: 'IfNotPresent',
              command: ['./cluster-autoscaler', ...flags],
              env: variables({ AWS_REGION: regionOf(facts.clusterName, facts.spec) }),
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

function flagsOf(facts: ClusterFacts, expander: string, groups: readonly InstanceGroup[]): readonly string[] {
  const wished = facts.spec.clusterAutoscaler ?? {};
  const flags = renderFlags(
    {
      awsUseStaticInstanceList: wished.awsUseStaticInstanceList,
      balanceSimilarNodeGroups: wished.balanceSimilarNodeGroups,
      cloudProvider: 'aws',
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
    { names: {} },
  );
  const nodes = groups.map((group) => {
    const minSize = completedValue('spec.minSize', group.spec.minSize);
    const maxSize = completedValue('spec.maxSize', group.spec.maxSize);
    return `--nodes=${minSize}:${maxSize}:${autoscalingGroupName(facts, group)}`;
  });
  return [...flags, ...nodes];
}

/** Regular expressions for the names of groups, by priority. */
function prioritiesOf(
  facts: ClusterFacts,
  groups: readonly InstanceGroup[],
): Readonly<Record<string, readonly string[]>> {
  const byPriority = Object.groupBy(groups, ({ spec }) => String(spec.autoscalePriority ?? 0));
  return Object.fromEntries(
    Object.entries(byPriority).map(([priority, members = []]) => [
      priority,
      members.map((group) => `^${autoscalingGroupName(facts, group).replaceAll('.', String.raw`\.`)}$`),
    ]),
  );
}
