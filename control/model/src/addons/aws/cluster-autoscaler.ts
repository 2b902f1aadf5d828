import semver from 'semver';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import { autoscalingGroupName } from '../../cloud/aws/group-names.ts';
import { regionOf } from '../../cloud/aws/region.ts';
import type { ClusterFacts } from '../../cluster-facts.ts';
import { renderFlags } from '../../flags.ts';
import { accountWith, roleIn, type Rule } from '../access.ts';
import type { AddonObject } from '../addon-object.ts';
import { disruptionBudget } from '../disruption-budget.ts';
import { spread, variables } from '../pod-parts.ts';
import { callingAws } from './aws-identity.ts';

const NAME = 'cluster-autoscaler';
const PRIORITIES = 'cluster-autoscaler-priority-expander';
const READ = ['get', 'list', 'watch'];
/** It follows Kubernetes's releases: the last one that it is known to have, where that is not .0. */
const PATCHES: Readonly<Record<string, string>> = {
  '1.20': '1.20.1',
  '1.21': '1.21.1',
  '1.22': '1.22.1',
  '1.26': '1.26.2',
  '1.27': '1.27.2',
};

/** What it asks before it makes and empties machines (autoscaler charts/cluster-autoscaler/templates/clusterrole.yaml). */
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

/** As many machines as the pods that wait need, between each group's bounds (kops addon cluster-autoscaler.addons.k8s.io). */
export function clusterAutoscalerObjects(
  facts: ClusterFacts,
  groups: readonly InstanceGroup[],
): readonly AddonObject[] {
  const wished = facts.spec.clusterAutoscaler ?? {};
  const { expander = 'random', createPriorityExpanderConfig = true, customPriorityExpanderConfig } = wished;
  const scaled = groups.filter((group) => roleOf(group) === 'Node' && group.spec.autoscale !== false);
  const priorities = customPriorityExpanderConfig ?? prioritiesOf(facts, scaled);
  const labels = { app: NAME, 'app.kubernetes.io/name': NAME, 'k8s-app': NAME };
  const selected = { app: NAME };
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
    ...(expander.split(',').includes('priority') && createPriorityExpanderConfig
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
      metadata: { name: NAME, namespace: 'kube-system', labels },
      spec: { selector: selected, ports: [{ name: 'http', port: 8085, protocol: 'TCP', targetPort: 8085 }] },
    },
    disruptionBudget(facts.kubernetesVersion, NAME, selected),
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: NAME, namespace: 'kube-system', labels },
      spec: {
        replicas: 1,
        selector: { matchLabels: selected },
        // Two on one machine would fight for its port.
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
        template: {
          metadata: {
            labels,
            annotations: { 'prometheus.io/port': '8085', 'prometheus.io/scrape': 'true', ...wished.podAnnotations },
          },
          spec: callingAws(facts, NAME, {
            priorityClassName: 'system-cluster-critical',
            topologySpreadConstraints: spread(selected),
            containers: [
              {
                name: NAME,
                image: wished.image ?? imageOf(facts),
                imagePullPolicy: 'IfNotPresent',
                command: ['./cluster-autoscaler', ...flagsOf(facts, expander, scaled)],
                env: variables({ AWS_REGION: regionOf(facts.clusterName, facts.spec) }),
                livenessProbe: {
                  httpGet: { path: '/health-check', port: 'http' },
                  failureThreshold: 3,
                  periodSeconds: 10,
                },
                ports: [{ containerPort: 8085, name: 'http', protocol: 'TCP' }],
                resources: {
                  requests: {
                    cpu: String(wished.cpuRequest ?? '100m'),
                    memory: String(wished.memoryRequest ?? '300Mi'),
                  },
                },
              },
            ],
          }),
        },
      },
    },
  ];
}

function imageOf({ kubernetesVersion }: ClusterFacts): string {
  const minor = `${semver.major(kubernetesVersion)}.${semver.minor(kubernetesVersion)}`;
  return `registry.k8s.io/autoscaling/cluster-autoscaler:v${PATCHES[minor] ?? `${minor}.0`}`;
}

/** kops's defaults (pkg/model/components/clusterautoscaler.go). */
function flagsOf(facts: ClusterFacts, expander: string, groups: readonly InstanceGroup[]): readonly string[] {
  const wished = facts.spec.clusterAutoscaler ?? {};
  const flags = renderFlags(
    {
      awsUseStaticInstanceList: wished.awsUseStaticInstanceList ?? false,
      balanceSimilarNodeGroups: wished.balanceSimilarNodeGroups ?? false,
      cloudProvider: 'aws',
      cordonNodeBeforeTerminating: wished.cordonNodeBeforeTerminating ?? true,
      emitPerNodegroupMetrics: wished.emitPerNodegroupMetrics ?? false,
      expander,
      ignoreDaemonsetsUtilization: wished.ignoreDaemonSetsUtilization ?? false,
      logtostderr: true,
      maxNodeProvisionTime: wished.maxNodeProvisionTime ?? '15m0s',
      newPodScaleUpDelay: wished.newPodScaleUpDelay ?? '0s',
      scaleDownDelayAfterAdd: wished.scaleDownDelayAfterAdd ?? '10m0s',
      scaleDownUnneededTime: wished.scaleDownUnneededTime ?? '10m0s',
      scaleDownUnreadyTime: wished.scaleDownUnreadyTime ?? '20m0s',
      scaleDownUtilizationThreshold: wished.scaleDownUtilizationThreshold ?? '0.5',
      skipNodesWithCustomControllerPods: wished.skipNodesWithCustomControllerPods ?? true,
      skipNodesWithLocalStorage: wished.skipNodesWithLocalStorage ?? true,
      skipNodesWithSystemPods: wished.skipNodesWithSystemPods ?? true,
      stderrthreshold: 'info',
      v: 4,
    },
    { names: {} },
  );
  const nodes = groups.map((group) => {
    const { minSize = 1, maxSize = minSize } = group.spec;
    return `--nodes=${minSize}:${maxSize}:${autoscalingGroupName(facts, group)}`;
  });
  return [...flags, ...nodes];
}

/** Names of groups by how much a person prefers them. */
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
