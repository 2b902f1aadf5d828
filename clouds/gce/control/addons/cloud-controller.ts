import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { renderFlags, settingsOf } from '@kopsctl/model/flags.ts';
import { accountWith, bindSystemRole, roleIn, type Rule } from '@kopsctl/model/addons/access.ts';
import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';
import { CONTROL_PLANE_ONLY } from '@kopsctl/model/addons/control-plane-only.ts';
import { namedNetwork } from '../named-network.ts';
import { subnetworkName } from '../names.ts';
import { NOBODY, runAs, UNPRIVILEGED } from '@kopsctl/model/pod-security.ts';

type CloudControllerManager = NonNullable<ClusterSpec['cloudControllerManager']>;

const NAME = 'cloud-controller-manager';
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
  // Each of its controllers has permissions of its own (cloud-provider-gcp deploy/cloud-node-controller-role.yaml).
  { group: '*', resources: ['*'], verbs: ['list', 'watch'] },
];

/**
 * The cloud controller manager of GCE: addresses and ranges of nodes, load balancers of Services (kops addon
 * gcp-cloud-controller.addons.k8s.io).
 */
export function gceCloudControllerObjects({ clusterName, spec }: ClusterFacts): readonly AddonObject[] {
  const config = cloudConfig(clusterName, spec);
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
      data: { 'cloud.config': config },
    },
    daemonSet(spec.cloudControllerManager ?? {}, config),
  ];
}

function daemonSet({ image, leaderElection, ...config }: CloudControllerManager, cloudConfig: string): AddonObject {
  const flags = renderFlags(
    { ...settingsOf(config), ...settingsOf(leaderElection ?? {}), cloudConfig: CONFIG_FILE },
    { names: {}, repeated: [] },
  );
  const labels = { component: NAME };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: NAME, namespace: 'kube-system', labels },
    spec: {
      selector: { matchLabels: labels },
      updateStrategy: { type: 'RollingUpdate' },
      template: {
        metadata: {
          labels: { ...labels, tier: 'control-plane' },
          // It reads its configuration only at start, so a change of it has to replace the pods.
          annotations: { 'kopsctl.io/cloud-config': cloudConfig.trim().replaceAll('\n', '; ') },
        },
        spec: {
          affinity: CONTROL_PLANE_ONLY,
          hostNetwork: true,
          priorityClassName: 'system-cluster-critical',
          securityContext: runAs(NOBODY),
          serviceAccountName: NAME,
          // This controller removes the taint of new nodes, so it must run on tainted nodes.
          tolerations: [{ operator: 'Exists' }],
          containers: [
            {
              name: NAME,
              image,
              imagePullPolicy: 'IfNotPresent',
              args: flags,
              // The cluster IPs of Services are not reachable before it has run.
              env: [{ name: 'KUBERNETES_SERVICE_HOST', value: '127.0.0.1' }],
              livenessProbe: {
                httpGet: { host: '127.0.0.1', path: '/healthz', port: 10258, scheme: 'HTTPS' },
                initialDelaySeconds: 15,
                timeoutSeconds: 15,
              },
              resources: { requests: { cpu: String(config.cpuRequest) } },
              securityContext: UNPRIVILEGED,
              volumeMounts: [{ mountPath: CONFIG_FILE, name: 'cloudconfig', readOnly: true, subPath: 'cloud.config' }],
            },
          ],
          volumes: [{ name: 'cloudconfig', configMap: { name: CONFIG } }],
        },
      },
    },
  };
}

/**
 * Without multizone, the controller would treat nodes in other zones as deleted, and delete their Node objects. In a network
 * with custom subnets, it does not find by itself the subnet in which internal load balancers get their addresses, and it
 * assumes that a network belongs to the machines' project.
 */
function cloudConfig(
  clusterName: string,
  { cloudConfig: wished = {}, networkID = '', project = '', subnets }: ClusterSpec,
): string {
  const network = namedNetwork(networkID, project);
  const [subnet] = subnets ?? [];
  const settings = {
    multizone: wished.multizone,
    'node-tags': wished.nodeTags,
    'node-instance-prefix': wished.nodeInstancePrefix,
    ...(networkID !== '' &&
      network.project !== project && { 'network-project-id': network.project, 'network-name': network.name }),
    'subnetwork-name': subnet && subnetworkName(subnet, clusterName),
  };
  const lines = Object.entries(settings).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} = ${value}`],
  );
  return ['[global]', ...lines, ''].join('\n');
}
