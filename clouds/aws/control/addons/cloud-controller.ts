import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { completedValue } from '@kopsctl/model/completed-value.ts';
import { renderFlags, settingsOf } from '@kopsctl/model/flags.ts';
import { accountWith, bindSystemRole } from '@kopsctl/model/addons/access.ts';
import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';
import { callingAws } from './aws-identity.ts';
import { NOBODY, runAs, UNPRIVILEGED } from '@kopsctl/model/pod-security.ts';

const CONTROLLER = 'aws-cloud-controller-manager';
const CONFIG = 'aws-cloud-config';
const CONFIG_FILE = '/etc/kubernetes/cloud.config';

/**
 * The cloud controller manager of AWS: addresses and zones of nodes, load balancers of Services, routes (kops addon
 * aws-cloud-controller.addons.k8s.io). It runs on a control-plane machine, with that machine's permissions.
 */
export function cloudControllerObjects(facts: ClusterFacts): readonly AddonObject[] {
  const cloudConfig = cloudConfigOf(facts.spec.cloudConfig ?? {});
  return [
    ...accountWith(CONTROLLER, 'system:cloud-controller-manager', [
      { group: '', resources: ['events'], verbs: ['create', 'patch', 'update'] },
      { group: '', resources: ['nodes'], verbs: ['*'] },
      { group: '', resources: ['nodes/status'], verbs: ['patch'] },
      { group: '', resources: ['services', 'services/status'], verbs: ['list', 'patch', 'update', 'watch'] },
      { group: '', resources: ['serviceaccounts'], verbs: ['create', 'get'] },
      { group: '', resources: ['persistentvolumes'], verbs: ['get', 'list', 'update', 'watch'] },
      { group: '', resources: ['endpoints'], verbs: ['create', 'get', 'list', 'update', 'watch'] },
      { group: 'coordination.k8s.io', resources: ['leases'], verbs: ['create', 'get', 'list', 'update', 'watch'] },
      { group: '', resources: ['secrets'], verbs: ['list', 'watch'] },
      {
        group: '',
        resources: ['serviceaccounts/token'],
        names: ['node-controller', 'service-controller', 'route-controller'],
        verbs: ['create'],
      },
    ]),
    bindSystemRole(
      'cloud-controller-manager:apiserver-authentication-reader',
      'extension-apiserver-authentication-reader',
      CONTROLLER,
    ),
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: CONFIG, namespace: 'kube-system' },
      data: { 'cloud.config': cloudConfig },
    },
    daemonSet(facts, cloudConfig),
  ];
}

function daemonSet(facts: ClusterFacts, cloudConfig: string): AddonObject {
  const { image, leaderElection, ...config } = facts.spec.cloudControllerManager ?? {};
  const flags = renderFlags(
    { ...settingsOf(config), ...settingsOf(leaderElection ?? {}), cloudConfig: CONFIG_FILE },
    { names: {}, repeated: [] },
  );
  const labels = { 'k8s-app': CONTROLLER };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: CONTROLLER, namespace: 'kube-system', labels },
    spec: {
      selector: { matchLabels: labels },
      updateStrategy: { type: 'RollingUpdate' },
      template: {
        // It reads its configuration only at start, so a change of it has to replace the pods.
        metadata: { labels, annotations: { 'kopsctl.io/cloud-config': cloudConfig.trim().replaceAll('\n', '; ') } },
        // This controller removes the taint of new nodes, so it must run on tainted nodes.
        spec: callingAws(facts, CONTROLLER, {
          priorityClassName: 'system-cluster-critical',
          securityContext: runAs(NOBODY),
          containers: [
            {
              name: CONTROLLER,
              image: completedValue('spec.cloudControllerManager.image', image),
              imagePullPolicy: 'IfNotPresent',
              args: flags,
              // The cluster IPs of Services are not reachable before it has run.
              env: [{ name: 'KUBERNETES_SERVICE_HOST', value: '127.0.0.1' }],
              resources: { requests: { cpu: String(config.cpuRequest) } },
              securityContext: UNPRIVILEGED,
              volumeMounts: [{ mountPath: CONFIG_FILE, name: 'cloudconfig', readOnly: true, subPath: 'cloud.config' }],
            },
          ],
          volumes: [{ name: 'cloudconfig', configMap: { name: CONFIG } }],
        }),
      },
    },
  };
}

/** The configuration of Kubernetes's AWS provider (kops nodeup/pkg/model/cloudconfig.go). */
function cloudConfigOf(config: NonNullable<ClusterSpec['cloudConfig']>): string {
  const { disableSecurityGroupIngress, elbSecurityGroup, nlbSecurityGroupMode, nodeIPFamilies = [] } = config;
  const lines = [
    ...(disableSecurityGroupIngress === undefined
      ? []
      : [`DisableSecurityGroupIngress = ${disableSecurityGroupIngress}`]),
    ...(elbSecurityGroup === undefined ? [] : [`ElbSecurityGroup = ${elbSecurityGroup}`]),
    ...(nlbSecurityGroupMode === undefined ? [] : [`NLBSecurityGroupMode = ${nlbSecurityGroupMode}`]),
    ...nodeIPFamilies.map((family) => `NodeIPFamilies = ${family}`),
  ];
  return `${['[global]', ...lines].join('\n')}\n`;
}
