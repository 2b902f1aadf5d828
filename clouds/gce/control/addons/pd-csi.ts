import type { JsonObject } from '@kopsctl/tasks/task.ts';
import semver from 'semver';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';
import { byKubernetes, type ByKubernetes } from '@kopsctl/model/addons/by-kubernetes.ts';
import { CONTROL_PLANE_ONLY } from '@kopsctl/model/addons/control-plane-only.ts';
import { fieldVariable, hostPath } from '@kopsctl/model/addons/pod-parts.ts';
import { CONTROLLER, NAMESPACE, NODE, pdCsiAccess } from './pd-csi-access.ts';
import { PERSISTENT_DISKS, persistentDiskClasses } from './storage-classes.ts';
import { DEFAULT_SYSTEM_CALLS, UNPRIVILEGED, WITHOUT_CAPABILITIES } from '@kopsctl/model/pod-security.ts';

const DRIVER_IMAGE = 'registry.k8s.io/cloud-provider-gcp/gcp-compute-persistent-disk-csi-driver';
const sidecar = (name: string, version: string): string => `registry.k8s.io/sig-storage/${name}:${version}`;

interface Sidecars {
  readonly provisioner: string;
  readonly attacher: string;
  readonly resizer: string;
  readonly snapshotter: string;
  readonly registrar: string;
}

/** Versions of the CSI sidecars, as kops combines them with each release of the driver. */
const SIDECARS: ByKubernetes<Sidecars> = [
  {
    since: '1.20.0',
    use: { provisioner: 'v3.4.0', attacher: 'v4.2.0', resizer: 'v1.7.0', snapshotter: 'v6.1.0', registrar: 'v2.7.0' },
  },
  {
    since: '1.28.0',
    use: { provisioner: 'v6.0.0', attacher: 'v4.8.1', resizer: 'v2.0.0', snapshotter: 'v8.2.1', registrar: 'v2.13.0' },
  },
];

/**
 * The first driver release for which kops enables hyperdisk settings and caches on local disks; older releases do not
 * have these flags.
 */
const KNOWS_HYPERDISKS = '1.22.0';

interface Flags {
  readonly controller: readonly string[];
  readonly node: readonly string[];
}

/** A release without a version number is treated as newer. */
const flagsOf = (driverVersion: string): Flags =>
  semver.lt(semver.coerce(driverVersion) ?? KNOWS_HYPERDISKS, KNOWS_HYPERDISKS)
    ? { controller: [], node: [] }
    : {
        controller: [
          '--supports-dynamic-iops-provisioning=hyperdisk-balanced,hyperdisk-extreme',
          '--supports-dynamic-throughput-provisioning=hyperdisk-balanced,hyperdisk-throughput,hyperdisk-ml',
          '--enable-data-cache',
        ],
        // Without the name it cannot find the Node that says whether the machine has a cache.
        node: ['--enable-data-cache', '--node-name=$(KUBE_NODE_NAME)'],
      };

interface ControllerPart {
  readonly name: string;
  readonly version: string;
  readonly port: number;
  readonly args: readonly string[];
  /** Reports whether it holds its lease. */
  readonly answersProbes: boolean;
}

const controllerParts = ({ provisioner, attacher, resizer }: Sidecars): readonly ControllerPart[] => [
  {
    name: 'csi-provisioner',
    version: provisioner,
    port: 22011,
    args: [
      '--timeout=250s',
      '--feature-gates=Topology=true',
      '--extra-create-metadata',
      '--default-fstype=ext4',
      '--controller-publish-readonly=true',
    ],
    answersProbes: true,
  },
  { name: 'csi-attacher', version: attacher, port: 22012, args: ['--timeout=250s'], answersProbes: true },
  {
    name: 'csi-resizer',
    version: resizer,
    port: 22013,
    args: ['--handle-volume-inuse-error=false'],
    answersProbes: true,
  },
];

/** Takes snapshots, where the spec enables them: it does not run without the snapshot CRDs. */
const snapshotterOf = ({ snapshotter }: Sidecars): ControllerPart => ({
  name: 'csi-snapshotter',
  version: snapshotter,
  port: 22014,
  args: ['--timeout=300s', '--retry-interval-max=60s'],
  answersProbes: false,
});

/** The labels of both kinds of pods, as in kops: the selector of a Deployment is immutable. */
const LABELS = { app: 'gcp-compute-persistent-disk-csi-driver' };
const SOCKET = '--csi-address=/csi/csi.sock';
/** Close to the highest user priority: no pod with a volume starts without these pods. */
const PRIORITIES = { 'csi-gce-pd-controller': 900_000_000, 'csi-gce-pd-node': 900_001_000 };

/**
 * GCE disks for pods (kops addon gcp-pd-csi-driver.addons.k8s.io): a controller that creates and attaches them, and a
 * DaemonSet that mounts them on each machine.
 */
export function pdCsiObjects(facts: ClusterFacts): readonly AddonObject[] {
  const driver = facts.spec.cloudConfig?.gcpPDCSIDriver?.version;
  if (driver === undefined) throw new Error(`${facts.clusterName} was completed without a version of the disk driver`);
  const sidecars = byKubernetes(SIDECARS, facts.kubernetesVersion);
  const takesSnapshots = facts.spec.snapshotController?.enabled === true;
  const parts = [...controllerParts(sidecars), ...(takesSnapshots ? [snapshotterOf(sidecars)] : [])];
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
    ...Object.entries(PRIORITIES).map(([name, value]): AddonObject => ({
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name },
      value,
      globalDefault: false,
      description: `Of the pods ${name} alone, which serve disks of GCE.`,
    })),
    ...persistentDiskClasses(facts),
    ...pdCsiAccess(takesSnapshots),
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name: PERSISTENT_DISKS },
      spec: { attachRequired: true, podInfoOnMount: false },
    },
    controller(facts.clusterName, driver, parts),
    nodes(driver, sidecars.registrar),
  ];
}

const onLinux = (pod: JsonObject): JsonObject => ({
  // Its identity comes from the metadata service of its machine, which may not answer pods.
  hostNetwork: true,
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  securityContext: DEFAULT_SYSTEM_CALLS,
  ...pod,
});

const leaseProbe = (port: number): JsonObject => ({
  livenessProbe: {
    httpGet: { path: '/healthz/leader-election', port },
    initialDelaySeconds: 10,
    periodSeconds: 20,
    timeoutSeconds: 10,
    failureThreshold: 1,
  },
});

function controller(clusterName: string, driver: string, parts: readonly ControllerPart[]): AddonObject {
  const socketDir = { volumeMounts: [{ mountPath: '/csi', name: 'socket-dir' }] };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'csi-gce-pd-controller', namespace: NAMESPACE, labels: LABELS },
    spec: {
      replicas: 1,
      selector: { matchLabels: LABELS },
      // It uses host ports: with a single machine, the old pod has to be deleted first.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      template: {
        metadata: { labels: LABELS },
        spec: onLinux({
          affinity: CONTROL_PLANE_ONLY,
          priorityClassName: 'csi-gce-pd-controller',
          serviceAccountName: CONTROLLER,
          tolerations: [
            { effect: 'NoSchedule', operator: 'Exists' },
            { key: 'CriticalAddonsOnly', operator: 'Exists' },
          ],
          containers: [
            ...parts.map((part) => ({
              name: part.name,
              image: sidecar(part.name, part.version),
              args: [
                SOCKET,
                ...part.args,
                '--leader-election',
                `--leader-election-namespace=${NAMESPACE}`,
                `--http-endpoint=:${part.port}`,
                '--v=2',
              ],
              ports: [{ containerPort: part.port, protocol: 'TCP' }],
              securityContext: UNPRIVILEGED,
              ...(part.answersProbes ? leaseProbe(part.port) : {}),
              ...socketDir,
            })),
            {
              name: 'gce-pd-driver',
              image: `${DRIVER_IMAGE}:${driver}`,
              args: [
                '--endpoint=unix:/csi/csi.sock',
                // Disks are labelled with the cluster, encoded as labels of Google require.
                `--extra-labels=k8s-io-cluster-name=${clusterName.replaceAll('.', '-')}`,
                '--run-node-service=false',
                ...flagsOf(driver).controller,
                '--v=2',
              ],
              securityContext: WITHOUT_CAPABILITIES,
              ...socketDir,
            },
          ],
          volumes: [{ name: 'socket-dir', emptyDir: {} }],
        }),
      },
    },
  };
}

/** Through this folder the driver asks the udev of the machine to create the links of disks. */
const UDEV = [
  ['udev-rules-etc', '/etc/udev'],
  ['udev-rules-lib', '/lib/udev'],
  ['udev-socket', '/run/udev'],
  ['sys', '/sys'],
] as const;

function nodes(driver: string, registrar: string): AddonObject {
  const folder = `/var/lib/kubelet/plugins/${PERSISTENT_DISKS}`;
  const plugin = { mountPath: '/csi', name: 'plugin-dir' };
  const env = [fieldVariable('KUBE_NODE_NAME', 'spec.nodeName')];
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'csi-gce-pd-node', namespace: NAMESPACE, labels: LABELS },
    spec: {
      selector: { matchLabels: LABELS },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%' } },
      template: {
        metadata: { labels: LABELS },
        spec: onLinux({
          priorityClassName: 'csi-gce-pd-node',
          serviceAccountName: NODE,
          tolerations: [{ operator: 'Exists' }],
          containers: [
            {
              name: 'csi-driver-registrar',
              image: sidecar('csi-node-driver-registrar', registrar),
              args: [SOCKET, `--kubelet-registration-path=${folder}/csi.sock`, '--v=2'],
              env,
              securityContext: UNPRIVILEGED,
              volumeMounts: [plugin, { mountPath: '/registration', name: 'registration-dir' }],
            },
            {
              name: 'gce-pd-driver',
              image: `${DRIVER_IMAGE}:${driver}`,
              args: [
                '--endpoint=unix:/csi/csi.sock',
                '--run-controller-service=false',
                ...flagsOf(driver).node,
                '--v=2',
              ],
              env,
              // It formats and mounts disks.
              securityContext: { privileged: true },
              volumeMounts: [
                { mountPath: '/var/lib/kubelet', mountPropagation: 'Bidirectional', name: 'kubelet-dir' },
                plugin,
                { mountPath: '/dev', name: 'device-dir' },
                ...UDEV.map(([name, mountPath]) => ({ mountPath, name })),
              ],
            },
          ],
          volumes: [
            hostPath('registration-dir', '/var/lib/kubelet/plugins_registry/', 'Directory'),
            hostPath('kubelet-dir', '/var/lib/kubelet', 'Directory'),
            hostPath('plugin-dir', `${folder}/`, 'DirectoryOrCreate'),
            hostPath('device-dir', '/dev', 'Directory'),
            ...UDEV.map(([name, path]) => hostPath(name, path, 'Directory')),
          ],
        }),
      },
    },
  };
}
