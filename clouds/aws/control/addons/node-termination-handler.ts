import { regionOf, servicesDomainOf } from '../region.ts';
import { terminationQueueName, usesTerminationQueue } from '../model/node-termination.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { completedValue } from '@kopsctl/model/completed-value.ts';
import { ACCOUNT } from '@kopsctl/model/addons/account.ts';
import { accountWith } from '@kopsctl/model/addons/access.ts';
import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';
import { disruptionBudget } from '@kopsctl/model/addons/disruption-budget.ts';
import { ownNodeOnly } from '@kopsctl/model/addons/own-node-only.ts';
import { EVERY_MACHINE, fieldVariable, hostPath, spread, variables } from '@kopsctl/model/addons/pod-parts.ts';
import { callingAws } from './aws-identity.ts';
import { runAs, UNPRIVILEGED } from '@kopsctl/model/pod-security.ts';

const NAME = 'aws-node-termination-handler';
const IDENTITY = { 'app.kubernetes.io/instance': NAME, 'app.kubernetes.io/name': NAME };
const SELECTED = { ...IDENTITY, 'kubernetes.io/os': 'linux' };

/**
 * Drains machines that AWS is about to terminate (kops addon node-termination-handler.aws). It learns of them from the
 * cluster's queue; without a queue, each machine asks its own metadata service.
 */
export function nodeTerminationHandlerObjects(facts: ClusterFacts): readonly AddonObject[] {
  const queue = usesTerminationQueue(facts);
  return [
    ...accountWith(NAME, NAME, [
      { group: '', resources: ['nodes'], verbs: ['get', 'list', 'patch', 'update'] },
      { group: '', resources: ['pods'], verbs: ['get', 'list'] },
      { group: '', resources: ['pods/eviction'], verbs: ['create'] },
      { group: 'apps', resources: ['daemonsets'], verbs: ['get'] },
      { group: '', resources: ['events'], verbs: ['create', 'patch'] },
    ]),
    ...(queue
      ? ofQueue(facts)
      : [onEachMachine(facts), ...ownNodeOnly(facts.kubernetesVersion, { name: NAME, changesSpec: true })]),
  ];
}

/** Settings for both modes, under the handler's own names. */
function settings({ spec }: ClusterFacts) {
  const wished = spec.nodeTerminationHandler ?? {};
  return {
    LOG_LEVEL: 'info',
    JSON_LOGGING: true,
    LOG_FORMAT_VERSION: 2,
    ENABLE_PROMETHEUS_SERVER: wished.prometheusEnable,
    PROMETHEUS_SERVER_PORT: 9092,
    DRY_RUN: false,
    CORDON_ONLY: false,
    TAINT_NODE: wished.taintNode,
    ENABLE_OUT_OF_SERVICE_TAINT: wished.enableOutOfServiceTaint,
    EXCLUDE_FROM_LOAD_BALANCERS: wished.excludeFromLoadBalancers,
    DELETE_LOCAL_DATA: true,
    IGNORE_DAEMON_SETS: true,
    POD_TERMINATION_GRACE_PERIOD: wished.podTerminationGracePeriod,
    NODE_TERMINATION_GRACE_PERIOD: 120,
    EMIT_KUBERNETES_EVENTS: true,
    WEBHOOK_URL: wished.webhookURL,
    WEBHOOK_TEMPLATE: wished.webhookTemplate,
  };
}

const PLACE = [
  fieldVariable('NODE_NAME', 'spec.nodeName'),
  fieldVariable('POD_NAME', 'metadata.name'),
  fieldVariable('NAMESPACE', 'metadata.namespace'),
];

const common = ({ spec }: ClusterFacts) => {
  const { version, cpuRequest, memoryRequest, memoryLimit } = spec.nodeTerminationHandler ?? {};
  return {
    name: NAME,
    image: `public.ecr.aws/aws-ec2/${NAME}:${completedValue('spec.nodeTerminationHandler.version', version)}`,
    imagePullPolicy: 'IfNotPresent',
    resources: {
      requests: { cpu: String(cpuRequest), memory: String(memoryRequest) },
      ...(memoryLimit === undefined ? {} : { limits: { memory: String(memoryLimit) } }),
    },
  };
};

function ofQueue(facts: ClusterFacts): readonly AddonObject[] {
  const wished = facts.spec.nodeTerminationHandler ?? {};
  const region = regionOf(facts.clusterName, facts.spec);
  const labels = { ...SELECTED, 'kops.k8s.io/nth-mode': 'sqs', 'k8s-app': NAME };
  const queue = `https://sqs.${region}.${servicesDomainOf(region)}/${ACCOUNT}/${terminationQueueName(facts)}`;
  return [
    disruptionBudget(facts.kubernetes, NAME, { ...IDENTITY, 'kops.k8s.io/nth-mode': 'sqs' }),
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: NAME, namespace: 'kube-system', labels: { ...IDENTITY, 'k8s-app': NAME } },
      spec: {
        replicas: 1,
        selector: { matchLabels: SELECTED },
        // Two replicas on one machine would compete for its ports.
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
        template: {
          metadata: { labels },
          spec: callingAws(facts, NAME, {
            priorityClassName: 'system-cluster-critical',
            securityContext: runAs(1000),
            topologySpreadConstraints: spread(labels),
            containers: [
              {
                ...common(facts),
                env: [
                  ...PLACE,
                  ...variables({
                    ...settings(facts),
                    AWS_REGION: region,
                    ENABLE_PROBES_SERVER: true,
                    PROBES_SERVER_PORT: 8080,
                    PROBES_SERVER_ENDPOINT: '/healthz',
                    CHECK_TAG_BEFORE_DRAINING: true,
                    MANAGED_TAG: wished.managedASGTag,
                    USE_PROVIDER_ID: true,
                    COMPLETE_LIFECYCLE_ACTION_DELAY_SECONDS: -1,
                    ENABLE_SQS_TERMINATION_DRAINING: true,
                    QUEUE_URL: queue,
                    DELETE_SQS_MSG_IF_NODE_NOT_FOUND: wished.deleteSQSMsgIfNodeNotFound,
                    WORKERS: 10,
                  }),
                ],
                livenessProbe: { httpGet: { path: '/healthz', port: 8080 }, initialDelaySeconds: 5, periodSeconds: 5 },
                ports: [
                  { containerPort: 8080, name: 'liveness-probe', protocol: 'TCP' },
                  { containerPort: 9092, name: 'metrics', protocol: 'TCP' },
                ],
                securityContext: UNPRIVILEGED,
              },
            ],
          }),
        },
      },
    },
  ];
}

function onEachMachine(facts: ClusterFacts): AddonObject {
  const wished = facts.spec.nodeTerminationHandler ?? {};
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: NAME, namespace: 'kube-system', labels: { ...IDENTITY, 'k8s-app': NAME } },
    spec: {
      selector: { matchLabels: SELECTED },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%' } },
      template: {
        metadata: { labels: { ...SELECTED, 'k8s-app': NAME } },
        spec: {
          ...EVERY_MACHINE,
          serviceAccountName: NAME,
          hostNetwork: true,
          dnsPolicy: 'ClusterFirstWithHostNet',
          securityContext: runAs(1000),
          containers: [
            {
              ...common(facts),
              env: [
                ...PLACE,
                ...variables({
                  ...settings(facts),
                  ENABLE_PROBES_SERVER: false,
                  METADATA_TRIES: 3,
                  ENABLE_SPOT_INTERRUPTION_DRAINING: wished.enableSpotInterruptionDraining,
                  ENABLE_SCHEDULED_EVENT_DRAINING: wished.enableScheduledEventDraining,
                  ENABLE_REBALANCE_MONITORING: wished.enableRebalanceMonitoring,
                  ENABLE_REBALANCE_DRAINING: wished.enableRebalanceDraining,
                  ENABLE_SQS_TERMINATION_DRAINING: false,
                  UPTIME_FROM_FILE: '/proc/uptime',
                }),
              ],
              securityContext: UNPRIVILEGED,
              volumeMounts: [{ mountPath: '/proc/uptime', name: 'uptime', readOnly: true }],
            },
          ],
          volumes: [hostPath('uptime', '/proc/uptime')],
        },
      },
    },
  };
}
