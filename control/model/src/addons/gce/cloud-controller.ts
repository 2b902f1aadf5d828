import type { ClusterFacts } from '../../cluster-facts.ts';
import { renderFlags, settingsOf } from '../../flags.ts';
import { accountWith, bindSystemRole, roleIn, type Rule } from '../access.ts';
import type { AddonObject } from '../addon-object.ts';
import { CONTROL_PLANE_ONLY } from '../control-plane-only.ts';

const NAME = 'cloud-controller-manager';
/** Where a person turns it on for a Kubernetes that could do without. */
const DEFAULT_IMAGE = 'registry.k8s.io/cloud-provider-gcp/cloud-controller-manager:v35.0.0';
const CONFIG = 'gce-cloud-config';
const CONFIG_FILE = '/etc/kubernetes/cloud.config';

const RULES: readonly Rule[] = [
  { group: '', resources: ['events'], verbs: ['create', 'patch', 'update'] },
  { group: 'events.k8s.io', resources: ['events'], verbs: ['create', 'patch', 'update'] },
  { group: '', resources: ['services/status'], verbs: ['patch', 'update'] },
  { group: 'coordination.k8s.io', resources: ['leases'], verbs: ['create', 'get', 'list', 'update', 'watch'] },
  { group: '', resources: ['endpoints', 'serviceaccounts'], verbs: ['create', 'get', 'update'] },
  { group: '', resources: ['nodes'], verbs: ['get', 'patch', 'update'] },
  { group: '', resources: ['namespaces'], verbs: ['get'] },
  { group: '', resources: ['nodes/status'], verbs: ['patch', 'update'] },
  { group: '', resources: ['secrets'], verbs: ['create', 'delete', 'get', 'update'] },
  { group: 'authentication.k8s.io', resources: ['tokenreviews'], verbs: ['create'] },
  { group: '', resources: ['serviceaccounts/token'], verbs: ['create'] },
  // Its controllers each watch kinds of their own (cloud-provider-gcp deploy/cloud-node-controller-role.yaml).
  { group: '*', resources: ['*'], verbs: ['list', 'watch'] },
];

/** What speaks with Google for Kubernetes: nodes' addresses and ranges, load balancers of Services (kops addon gcp-cloud-controller.addons.k8s.io). */
export function gceCloudControllerObjects({ spec }: ClusterFacts): readonly AddonObject[] {
  const { image = DEFAULT_IMAGE, leaderElection, ...config } = spec.cloudControllerManager ?? {};
  const labels = { component: NAME };
  const flags = renderFlags(
    {
      ...settingsOf(config),
      ...settingsOf(leaderElection ?? {}),
      cloudConfig: CONFIG_FILE,
      cloudProvider: 'gce',
      logLevel: config.logLevel ?? 2,
      useServiceAccountCredentials: true,
    },
    { names: {}, repeated: [] },
  );
  return [
    ...accountWith(NAME, 'system:cloud-controller-manager', RULES),
    ...roleIn('system::leader-locking-cloud-controller-manager', NAME, [
      { group: '', resources: ['configmaps'], verbs: ['watch'] },
      { group: '', resources: ['configmaps'], names: [NAME], verbs: ['create', 'get', 'patch', 'update'] },
    ]),
    bindSystemRole(
      'cloud-controller-manager:apiserver-authentication-reader',
      'extension-apiserver-authentication-reader',
      NAME,
    ),
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: CONFIG, namespace: 'kube-system' },
      data: { 'cloud.config': cloudConfig(spec.cloudConfig ?? {}) },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: NAME, namespace: 'kube-system', labels },
      spec: {
        selector: { matchLabels: labels },
        updateStrategy: { type: 'RollingUpdate' },
        template: {
          metadata: { labels: { ...labels, tier: 'control-plane' } },
          spec: {
            affinity: CONTROL_PLANE_ONLY,
            hostNetwork: true,
            priorityClassName: 'system-cluster-critical',
            serviceAccountName: NAME,
            // A node is untainted by this controller, so that it must run on nodes that are tainted.
            tolerations: [{ operator: 'Exists' }],
            containers: [
              {
                name: NAME,
                image,
                imagePullPolicy: 'IfNotPresent',
                args: flags,
                // Services have no address before it has run.
                env: [{ name: 'KUBERNETES_SERVICE_HOST', value: '127.0.0.1' }],
                livenessProbe: {
                  httpGet: { host: '127.0.0.1', path: '/healthz', port: 10258, scheme: 'HTTPS' },
                  initialDelaySeconds: 15,
                  timeoutSeconds: 15,
                },
                resources: { requests: { cpu: String(config.cpuRequest ?? '200m') } },
                volumeMounts: [
                  { mountPath: CONFIG_FILE, name: 'cloudconfig', readOnly: true, subPath: 'cloud.config' },
                ],
              },
            ],
            volumes: [{ name: 'cloudconfig', configMap: { name: CONFIG } }],
          },
        },
      },
    },
  ];
}

/** Without multizone it would take nodes of other zones than its own for gone, and delete them. */
function cloudConfig(wished: {
  readonly multizone?: boolean;
  readonly nodeTags?: string;
  readonly nodeInstancePrefix?: string;
}): string {
  const settings = {
    multizone: wished.multizone ?? true,
    'node-tags': wished.nodeTags,
    'node-instance-prefix': wished.nodeInstancePrefix,
  };
  const lines = Object.entries(settings).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} = ${value}`],
  );
  return ['[global]', ...lines, ''].join('\n');
}
