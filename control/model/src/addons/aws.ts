import type { ClusterFacts } from '../cluster-facts.ts';
import { renderFlags, settingsOf } from '../flags.ts';
import { accountWith, bindSystemRole } from './access.ts';
import type { AddonObject } from './addon-object.ts';
import { CONTROL_PLANE_ONLY } from './control-plane-only.ts';

const CONTROLLER = 'aws-cloud-controller-manager';

/**
 * What speaks with AWS for Kubernetes: nodes' addresses and zones, load balancers of Services, routes (kops addon
 * aws-cloud-controller.addons.k8s.io). It runs beside an API server, with the permissions of the machine.
 */
export function cloudControllerObjects({ spec }: ClusterFacts): readonly AddonObject[] {
  const { image, leaderElection, ...config } = spec.cloudControllerManager ?? {};
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
          spec: {
            priorityClassName: 'system-cluster-critical',
            serviceAccountName: CONTROLLER,
            hostNetwork: true,
            // A node is untainted by this controller, so that it must run on nodes that are tainted.
            tolerations: [{ operator: 'Exists' }],
            affinity: CONTROL_PLANE_ONLY,
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
          },
        },
      },
    },
  ];
}

interface StorageClass {
  readonly name: string;
  readonly type: string;
  readonly provisioner: string;
  readonly isEncrypted: boolean;
  readonly isDefault?: boolean;
}

/** kops's classes of volumes (addon storage-aws.addons.k8s.io): those of old clusters, which stay, and the one to use. */
const CLASSES: readonly StorageClass[] = [
  { name: 'default', type: 'gp2', provisioner: 'kubernetes.io/aws-ebs', isEncrypted: false },
  { name: 'gp2', type: 'gp2', provisioner: 'kubernetes.io/aws-ebs', isEncrypted: false, isDefault: false },
  { name: 'kops-ssd-1-17', type: 'gp2', provisioner: 'kubernetes.io/aws-ebs', isEncrypted: true, isDefault: false },
  { name: 'kops-csi-1-21', type: 'gp3', provisioner: 'ebs.csi.aws.com', isEncrypted: true, isDefault: true },
];

/** The classes of volumes, and what the provider inside of old components may do. */
export function storageObjects(): readonly AddonObject[] {
  return [
    ...CLASSES.map(({ name, type, provisioner, isEncrypted, isDefault }): AddonObject => ({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: {
        name,
        ...(isDefault === undefined
          ? {}
          : { annotations: { 'storageclass.kubernetes.io/is-default-class': String(isDefault) } }),
      },
      provisioner,
      parameters: { type, ...(isEncrypted ? { encrypted: 'true' } : {}) },
      // A volume lies in the zone of the pod that uses it.
      ...(isEncrypted ? { allowVolumeExpansion: true, volumeBindingMode: 'WaitForFirstConsumer' } : {}),
    })),
    ...accountWith('aws-cloud-provider', 'system:aws-cloud-provider', [
      { group: '', resources: ['nodes'], verbs: ['get', 'list', 'patch'] },
      { group: '', resources: ['events'], verbs: ['create', 'patch', 'update'] },
    ]),
  ];
}
