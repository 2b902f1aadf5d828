import type { ClusterFacts } from '../../cluster-facts.ts';
import { renderFlags, settingsOf } from '../../flags.ts';
import { accountWith, bindSystemRole } from '../access.ts';
import type { AddonObject } from '../addon-object.ts';
import { callingAws } from './aws-identity.ts';

const CONTROLLER = 'aws-cloud-controller-manager';
/** Where a person turns it on for a Kubernetes that could do without. */
const DEFAULT_IMAGE = 'registry.k8s.io/provider-aws/cloud-controller-manager:v1.36.1';

/**
 * What speaks with AWS for Kubernetes: nodes' addresses and zones, load balancers of Services, routes (kops addon
 * aws-cloud-controller.addons.k8s.io). It runs beside an API server, with the permissions of the machine.
 */
export function cloudControllerObjects(facts: ClusterFacts): readonly AddonObject[] {
  const { spec } = facts;
  const { image = DEFAULT_IMAGE, leaderElection, ...config } = spec.cloudControllerManager ?? {};
  const flags = renderFlags(
    {
      ...settingsOf(config),
      ...settingsOf(leaderElection ?? {}),
      cloudProvider: 'aws',
      useServiceAccountCredentials: true,
      logLevel: config.logLevel ?? 2,
    },
    { names: {}, repeated: [] },
  );
  const labels = { 'k8s-app': CONTROLLER };
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
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: CONTROLLER, namespace: 'kube-system', labels },
      spec: {
        selector: { matchLabels: labels },
        updateStrategy: { type: 'RollingUpdate' },
        template: {
          metadata: { labels },
          // A node is untainted by this controller, so that it must run on nodes that are tainted.
          spec: callingAws(facts, CONTROLLER, {
            priorityClassName: 'system-cluster-critical',
            containers: [
              {
                name: CONTROLLER,
                image,
                imagePullPolicy: 'IfNotPresent',
                args: flags,
                // Services have no address before it has run.
                env: [{ name: 'KUBERNETES_SERVICE_HOST', value: '127.0.0.1' }],
                resources: { requests: { cpu: String(config.cpuRequest ?? '200m') } },
              },
            ],
          }),
        },
      },
    },
  ];
}
