import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { completedValue } from '@kopsctl/model/completed-value.ts';
import { isIpv6Only } from '@kopsctl/model/discovery.ts';
import { runAs, UNPRIVILEGED } from '@kopsctl/model/pod-security.ts';
import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';
import { customKind } from '@kopsctl/model/addons/custom-kind.ts';
import { disruptionBudget } from '@kopsctl/model/addons/disruption-budget.ts';
import { ON_CONTROL_PLANES } from '@kopsctl/model/addons/control-plane-only.ts';
import { fieldVariable, spread, variables } from '@kopsctl/model/addons/pod-parts.ts';
import type { JsonObject } from '@kopsctl/tasks/task.ts';
import { karpenterSettings } from '../karpenter-settings.ts';
import { regionOf } from '../region.ts';
import { withRole } from './aws-identity.ts';
import { karpenterAccess } from './karpenter-access.ts';

const NAME = 'karpenter';
const LABELS = { 'app.kubernetes.io/instance': NAME, 'app.kubernetes.io/name': NAME };
const METRICS_PORT = 8080;
const HEALTH_PORT = 8081;

/** The kinds of Karpenter 1, and what `kubectl get` shows of them. */
const KINDS: readonly AddonObject[] = [
  customKind({
    group: 'karpenter.k8s.aws',
    kind: 'EC2NodeClass',
    plural: 'ec2nodeclasses',
    shortNames: ['ec2nc', 'ec2ncs'],
    hasStatus: true,
  }),
  customKind({
    group: 'karpenter.sh',
    kind: 'NodePool',
    hasStatus: true,
    columns: { NodeClass: '.spec.template.spec.nodeClassRef.name' },
  }),
  customKind({
    group: 'karpenter.sh',
    kind: 'NodeClaim',
    hasStatus: true,
    columns: { Node: '.status.nodeName', NodePool: '.metadata.labels.karpenter\\.sh/nodepool' },
  }),
  customKind({ group: 'karpenter.sh', kind: 'NodeOverlay', version: 'v1alpha1', hasStatus: true }),
];

/** Karpenter, which makes machines for pods that find no room (kops addon karpenter.sh). */
export const karpenterObjects = (facts: ClusterFacts): readonly AddonObject[] => [
  ...KINDS,
  ...karpenterAccess(),
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: NAME, namespace: 'kube-system', labels: LABELS },
    spec: {
      selector: LABELS,
      ports: [{ name: 'http-metrics', port: METRICS_PORT, protocol: 'TCP', targetPort: 'http-metrics' }],
    },
  },
  disruptionBudget(facts.kubernetes, NAME, LABELS),
  deployment(facts),
];

const deployment = (facts: ClusterFacts): AddonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: NAME, namespace: 'kube-system', labels: LABELS },
  spec: {
    replicas: 1,
    selector: { matchLabels: LABELS },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
    template: {
      metadata: { labels: LABELS },
      spec: withRole(facts, NAME, {
        ...ON_CONTROL_PLANES,
        priorityClassName: 'system-cluster-critical',
        // The user of its image.
        securityContext: runAs(65_532),
        serviceAccountName: NAME,
        topologySpreadConstraints: spread(LABELS),
        // DNS of the cluster may itself wait for a machine. With IPv6 alone AWS is reached by names that it translates.
        dnsPolicy: isIpv6Only(facts) ? 'ClusterFirst' : 'Default',
        containers: [controller(facts)],
      }),
    },
  },
});

function controller(facts: ClusterFacts): JsonObject {
  const { image, logLevel } = facts.spec.karpenter ?? {};
  const { cpuRequest, featureGates, memoryLimit, memoryRequest } = karpenterSettings(facts.spec);
  const probe = (path: string) => ({ httpGet: { path, port: 'http' }, timeoutSeconds: 30 });
  return {
    name: 'controller',
    image: completedValue('spec.karpenter.image', image),
    imagePullPolicy: 'IfNotPresent',
    // Karpenter's documentation, "Settings".
    env: [
      ...variables({
        AWS_REGION: regionOf(facts.clusterName, facts.spec),
        CLUSTER_ENDPOINT: `https://${facts.apiInternalName}`,
        CLUSTER_NAME: facts.clusterName,
        FEATURE_GATES: featureGates,
        HEALTH_PROBE_PORT: HEALTH_PORT,
        // Pods that claim devices by the newer API are left to groups of other kinds.
        IGNORE_DRA_REQUESTS: true,
        KARPENTER_SERVICE: NAME,
        LOG_LEVEL: logLevel,
        METRICS_PORT,
      }),
      fieldVariable('SYSTEM_NAMESPACE', 'metadata.namespace'),
      resource('CPU_REQUESTS', 'requests.cpu', '1m'),
      resource('MEMORY_LIMIT', 'limits.memory', '0'),
    ],
    ports: [
      { containerPort: METRICS_PORT, name: 'http-metrics', protocol: 'TCP' },
      { containerPort: HEALTH_PORT, name: 'http', protocol: 'TCP' },
    ],
    livenessProbe: { ...probe('/healthz'), initialDelaySeconds: 30 },
    readinessProbe: { ...probe('/readyz'), initialDelaySeconds: 5 },
    resources: {
      requests: { cpu: cpuRequest, memory: memoryRequest },
      limits: { memory: memoryLimit },
    },
    securityContext: UNPRIVILEGED,
  };
}

/** A variable whose value is a request or limit of the container. */
const resource = (name: string, field: string, divisor: string): JsonObject => ({
  name,
  valueFrom: { resourceFieldRef: { containerName: 'controller', divisor, resource: field } },
});
