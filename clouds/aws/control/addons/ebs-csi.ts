import { cloudLabels } from '@kopsctl/model/addons/cloud-labels.ts';
import type { JsonObject } from '@kopsctl/tasks/task.ts';
import { regionOf } from '../region.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { accountWith, type Rule } from '@kopsctl/model/addons/access.ts';
import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';
import { byKubernetes, type ByKubernetes } from '@kopsctl/model/addons/by-kubernetes.ts';
import { disruptionBudget } from '@kopsctl/model/addons/disruption-budget.ts';
import { callingAws } from './aws-identity.ts';
import { SNAPSHOTS } from '@kopsctl/model/addons/snapshot-controller.ts';
import { DEFAULT_SYSTEM_CALLS, runAs, UNPRIVILEGED } from '@kopsctl/model/pod-security.ts';
import { ownNodeOnly } from '@kopsctl/model/addons/own-node-only.ts';

const DRIVER = 'ebs.csi.aws.com';
const DRIVER_IMAGE = 'registry.k8s.io/provider-aws/aws-ebs-csi-driver';
const sidecar = (name: string, version: string): string => `registry.k8s.io/sig-storage/${name}:${version}`;

interface Sidecars {
  readonly provisioner: string;
  readonly attacher: string;
  readonly resizer: string;
  readonly snapshotter: string;
  readonly registrar: string;
  readonly livenessProbe: string;
  /** Provisioner and resizer wait forever for VolumeAttributesClasses if the API server does not serve them. */
  readonly attributesGate: readonly string[];
}

const NO_ATTRIBUTE_CLASSES = ['--feature-gates=VolumeAttributesClass=false'];

/** The CSI sidecars that work with each Kubernetes (kubernetes-csi.github.io, "Sidecars"). */
const SIDECARS: ByKubernetes<Sidecars> = [
  {
    since: '1.20.0',
    use: {
      provisioner: 'v3.1.0',
      attacher: 'v3.4.0',
      resizer: 'v1.4.0',
      snapshotter: 'v6.0.1',
      registrar: 'v2.5.1',
      livenessProbe: 'v2.6.0',
      attributesGate: [],
    },
  },
  {
    since: '1.29.0',
    use: {
      provisioner: 'v5.1.0',
      attacher: 'v4.7.0',
      resizer: 'v1.12.0',
      snapshotter: 'v8.1.0',
      registrar: 'v2.12.0',
      livenessProbe: 'v2.14.0',
      attributesGate: NO_ATTRIBUTE_CLASSES,
    },
  },
  {
    since: '1.32.0',
    use: {
      provisioner: 'v6.2.0',
      attacher: 'v4.11.0',
      resizer: 'v2.1.0',
      snapshotter: 'v8.5.0',
      registrar: 'v2.16.0',
      livenessProbe: 'v2.18.0',
      attributesGate: NO_ATTRIBUTE_CLASSES,
    },
  },
];

interface ControllerPart {
  readonly name: string;
  readonly image: string;
  readonly port: number;
  readonly args: readonly string[];
}

/** The sidecars of the controller. */
const partsOf = (facts: ClusterFacts): readonly ControllerPart[] => {
  const { provisioner, attacher, resizer, snapshotter, attributesGate } = sidecarsOf(facts);
  return [
    {
      name: 'csi-provisioner',
      image: sidecar('csi-provisioner', provisioner),
      port: 3302,
      args: [
        '--timeout=60s',
        '--feature-gates=Topology=true',
        ...attributesGate,
        '--extra-create-metadata',
        '--default-fstype=ext4',
        '--retry-interval-max=30m',
      ],
    },
    {
      name: 'csi-attacher',
      image: sidecar('csi-attacher', attacher),
      port: 3303,
      args: ['--timeout=6m', '--retry-interval-max=5m'],
    },
    {
      name: 'csi-resizer',
      image: sidecar('csi-resizer', resizer),
      port: 3304,
      args: ['--timeout=60s', ...attributesGate, '--handle-volume-inuse-error=false', '--retry-interval-max=30m'],
    },
    ...(takesSnapshots(facts)
      ? [
          {
            name: 'csi-snapshotter',
            image: sidecar('csi-snapshotter', snapshotter),
            port: 3305,
            args: ['--timeout=60s', '--extra-create-metadata'],
          },
        ]
      : []),
  ];
};

const sidecarsOf = ({ kubernetesVersion }: ClusterFacts): Sidecars => byKubernetes(SIDECARS, kubernetesVersion);

const read = ['get', 'list', 'watch'];
const CONTROLLER_RULES: readonly Rule[] = [
  { group: '', resources: ['persistentvolumes'], verbs: [...read, 'create', 'patch', 'delete'] },
  { group: '', resources: ['persistentvolumeclaims'], verbs: [...read, 'update'] },
  { group: '', resources: ['persistentvolumeclaims/status'], verbs: ['patch'] },
  { group: '', resources: ['events'], verbs: ['list', 'watch', 'create', 'update', 'patch'] },
  { group: '', resources: ['nodes', 'pods'], verbs: read },
  { group: 'storage.k8s.io', resources: ['storageclasses', 'csinodes', 'volumeattributesclasses'], verbs: read },
  { group: 'storage.k8s.io', resources: ['volumeattachments'], verbs: [...read, 'patch'] },
  { group: 'storage.k8s.io', resources: ['volumeattachments/status'], verbs: ['patch'] },
  { group: 'coordination.k8s.io', resources: ['leases'], verbs: [...read, 'create', 'update', 'delete'] },
];

/** Permissions for snapshots. */
const SNAPSHOT_RULES: readonly Rule[] = [
  { group: SNAPSHOTS, resources: ['volumesnapshots', 'volumesnapshotclasses'], verbs: read },
  { group: SNAPSHOTS, resources: ['volumesnapshotcontents'], verbs: [...read, 'patch', 'update'] },
  { group: SNAPSHOTS, resources: ['volumesnapshotcontents/status'], verbs: ['patch', 'update'] },
];

const takesSnapshots = ({ spec }: ClusterFacts): boolean => spec.snapshotController?.enabled === true;
const NODE_RULES: readonly Rule[] = [
  { group: '', resources: ['nodes'], verbs: [...read, 'patch'] },
  { group: 'storage.k8s.io', resources: ['csinodes'], verbs: ['get'] },
  { group: 'storage.k8s.io', resources: ['volumeattachments'], verbs: read },
];

const RESOURCES = { limits: { memory: '256Mi' }, requests: { cpu: '10m', memory: '40Mi' } };
/**
 * EBS volumes for pods (kops addon aws-ebs-csi-driver.addons.k8s.io): a controller that creates and attaches them, and
 * a DaemonSet that mounts them on each machine.
 */
export function ebsCsiObjects(facts: ClusterFacts): readonly AddonObject[] {
  return [
    ...accountWith('ebs-csi-controller-sa', 'ebs-csi-controller-role', [
      ...CONTROLLER_RULES,
      ...(takesSnapshots(facts) ? SNAPSHOT_RULES : []),
    ]),
    ...accountWith('ebs-csi-node-sa', 'ebs-csi-node-role', NODE_RULES),
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name: DRIVER },
      spec: { attachRequired: true, podInfoOnMount: false },
    },
    controller(facts),
    disruptionBudget(facts.kubernetes, 'ebs-csi-controller', { app: 'ebs-csi-controller' }),
    nodes(facts),
    // It removes the taint of a node on which it was not ready.
    ...ownNodeOnly(facts.kubernetesVersion, { name: 'ebs-csi-node-sa', changesSpec: true }),
  ];
}

const driverImage = ({ spec }: ClusterFacts): string => `${DRIVER_IMAGE}:${spec.cloudConfig?.awsEBSCSIDriver?.version}`;

const environment = (facts: ClusterFacts, endpoint: string) => [
  { name: 'AWS_REGION', value: regionOf(facts.clusterName, facts.spec) },
  { name: 'CSI_ENDPOINT', value: endpoint },
  { name: 'CSI_NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
];

const healthy = (port: number): JsonObject => ({
  livenessProbe: {
    httpGet: { path: '/healthz', port },
    initialDelaySeconds: 10,
    periodSeconds: 10,
    failureThreshold: 10,
  },
});

const settingsOf = ({ spec }: ClusterFacts) => spec.cloudConfig?.awsEBSCSIDriver ?? {};

const annotationsOf = (facts: ClusterFacts): { readonly annotations?: Readonly<Record<string, string>> } => {
  const { podAnnotations: annotations } = settingsOf(facts);
  return annotations === undefined ? {} : { annotations };
};

/** How many volumes a machine may have, if the spec sets a number other than the one that its type allows. */
const volumeLimit = (facts: ClusterFacts): readonly string[] => {
  const { volumeAttachLimit } = settingsOf(facts);
  return volumeAttachLimit === undefined ? [] : [`--volume-attach-limit=${volumeAttachLimit}`];
};

/** How often the sidecars that follow volumes may ask the API server. */
const apiLimits = (facts: ClusterFacts): readonly string[] => {
  const { kubeAPIQPS, kubeAPIBurst } = settingsOf(facts);
  return [
    ...(kubeAPIQPS === undefined ? [] : [`--kube-api-qps=${kubeAPIQPS}`]),
    ...(kubeAPIBurst === undefined ? [] : [`--kube-api-burst=${kubeAPIBurst}`]),
  ];
};

function controller(facts: ClusterFacts): AddonObject {
  const name = 'ebs-csi-controller';
  const labels = { app: name };
  const socket = '/var/lib/csi/sockets/pluginproxy';
  const shared = { volumeMounts: [{ mountPath: socket, name: 'socket-dir' }], resources: RESOURCES };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'kube-system', labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      template: {
        metadata: { labels, ...annotationsOf(facts) },
        spec: callingAws(facts, 'ebs-csi-controller-sa', {
          priorityClassName: 'system-cluster-critical',
          securityContext: runAs(1000),
          containers: [
            {
              name: 'ebs-plugin',
              image: driverImage(facts),
              args: [
                'controller',
                '--endpoint=$(CSI_ENDPOINT)',
                `--k8s-tag-cluster-id=${facts.clusterName}`,
                `--extra-tags=${cloudLabels(facts)}`,
                '--http-endpoint=0.0.0.0:3301',
                '--batching=true',
                '--v=2',
              ],
              env: environment(facts, `unix://${socket}/csi.sock`),
              securityContext: UNPRIVILEGED,
              ports: [{ containerPort: 3301, name: 'metrics', protocol: 'TCP' }],
              ...healthy(9808),
              ...shared,
            },
            ...partsOf(facts).map((part) => ({
              name: part.name,
              image: part.image,
              args: [
                `--csi-address=${socket}/csi.sock`,
                ...part.args,
                ...(part.name === 'csi-attacher' || part.name === 'csi-provisioner' ? apiLimits(facts) : []),
                '--leader-election=true',
                `--http-endpoint=0.0.0.0:${part.port}`,
                '--v=2',
              ],
              securityContext: UNPRIVILEGED,
              ports: [{ containerPort: part.port, protocol: 'TCP' }],
              ...shared,
            })),
            {
              name: 'liveness-probe',
              image: sidecar('livenessprobe', sidecarsOf(facts).livenessProbe),
              args: [`--csi-address=${socket}/csi.sock`, '--probe-timeout=60s', '--health-port=9808'],
              securityContext: UNPRIVILEGED,
              ...shared,
            },
          ],
          volumes: [{ name: 'socket-dir', emptyDir: {} }],
        }),
      },
    },
  };
}

function nodes(facts: ClusterFacts): AddonObject {
  const name = 'ebs-csi-node';
  const labels = { app: name };
  const folder = `/var/lib/kubelet/plugins/${DRIVER}`;
  const plugin = { mountPath: '/csi', name: 'plugin-dir' };
  const hostPath = (volume: string, path: string, type: string) => ({ name: volume, hostPath: { path, type } });
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace: 'kube-system', labels },
    spec: {
      selector: { matchLabels: labels },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%' } },
      template: {
        metadata: { labels, ...annotationsOf(facts) },
        spec: {
          ...(settingsOf(facts).hostNetwork === true ? { hostNetwork: true } : {}),
          priorityClassName: 'system-node-critical',
          securityContext: DEFAULT_SYSTEM_CALLS,
          serviceAccountName: 'ebs-csi-node-sa',
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          tolerations: [{ operator: 'Exists' }],
          containers: [
            {
              name: 'ebs-plugin',
              image: driverImage(facts),
              args: ['node', '--endpoint=$(CSI_ENDPOINT)', ...volumeLimit(facts), '--v=2'],
              env: environment(facts, 'unix:/csi/csi.sock'),
              // It formats and mounts.
              securityContext: { privileged: true, readOnlyRootFilesystem: true },
              lifecycle: { preStop: { exec: { command: ['/bin/aws-ebs-csi-driver', 'pre-stop-hook'] } } },
              ...healthy(9808),
              resources: RESOURCES,
              volumeMounts: [
                { mountPath: '/var/lib/kubelet', mountPropagation: 'Bidirectional', name: 'kubelet-dir' },
                plugin,
                { mountPath: '/dev', name: 'device-dir' },
              ],
            },
            {
              name: 'node-driver-registrar',
              image: sidecar('csi-node-driver-registrar', sidecarsOf(facts).registrar),
              args: ['--csi-address=/csi/csi.sock', `--kubelet-registration-path=${folder}/csi.sock`, '--v=2'],
              securityContext: UNPRIVILEGED,
              resources: RESOURCES,
              volumeMounts: [plugin, { mountPath: '/registration', name: 'registration-dir' }],
            },
            {
              name: 'liveness-probe',
              image: sidecar('livenessprobe', sidecarsOf(facts).livenessProbe),
              args: ['--csi-address=/csi/csi.sock', '--health-port=9808'],
              securityContext: UNPRIVILEGED,
              resources: RESOURCES,
              volumeMounts: [plugin],
            },
          ],
          volumes: [
            hostPath('kubelet-dir', '/var/lib/kubelet', 'Directory'),
            hostPath('plugin-dir', folder, 'DirectoryOrCreate'),
            hostPath('registration-dir', '/var/lib/kubelet/plugins_registry', 'Directory'),
            hostPath('device-dir', '/dev', 'Directory'),
          ],
        },
      },
    },
  };
}
