import type { Task } from '@kopsctl/tasks/task.ts';
import { renderFlags, settingsOf, type Settings } from '../flags.ts';
import { usesCloudRoutes } from '@kopsctl/spec/names.ts';
import { certificateId } from './certificates.ts';
import { usesKubenet } from './cni.ts';
import { kubernetesImage } from './images.ts';
import type { NodeContext } from './node-context.ts';
import { fileId } from './node-task.ts';
import { CA_FILE, CONTROLLER_MANAGER_DIR, CONTROLLER_MANAGER_PKI_DIR, VOLUME_PLUGIN_DIR } from './paths.ts';
import { staticPod } from './static-pod.ts';

/** The controller manager's static pod. */
export function kubeControllerManager(node: NodeContext): readonly Task[] {
  const config = node.spec.kubeControllerManager ?? {};
  const image = kubernetesImage(node, 'kube-controller-manager');
  const { leaderElection: _, ...wished } = settingsOf(config);
  const settings: Settings = {
    allocateNodeCIDRs: true,
    attachDetachReconcileSyncPeriod: '1m0s',
    clusterName: node.clusterName,
    leaderElect: true,
    // Everybody waits for it when a cluster starts, and one machine's API server is close by.
    ...(node.cloud === 'local' ? { leaderElectRetryPeriod: '1s' } : {}),
    logLevel: 2,
    useServiceAccountCredentials: true,
    ...wished,
    ...settingsOf(config.leaderElection ?? {}),
    ...(node.cloud === 'local' ? { cloudProvider: undefined } : {}),
    clusterCIDR: node.podRange,
    // protokube gives out pod networks on local machines: at once, where the controller manager waits ten seconds.
    ...(node.cloud === 'local' && usesKubenet(node) ? { allocateNodeCIDRs: false } : {}),
    // On local machines protokube keeps the routes; a cloud's route table is the controller manager's.
    configureCloudRoutes: node.cloud !== 'local' && usesCloudRoutes(node.spec),
    clusterSigningCertFile: `${CONTROLLER_MANAGER_PKI_DIR}/ca.crt`,
    clusterSigningKeyFile: `${CONTROLLER_MANAGER_PKI_DIR}/ca.key`,
    flexVolumePluginDir: VOLUME_PLUGIN_DIR,
    kubeconfig: `${CONTROLLER_MANAGER_DIR}/kubeconfig`,
    rootCAFile: CA_FILE,
    serviceAccountPrivateKeyFile: `${CONTROLLER_MANAGER_PKI_DIR}/service-account.key`,
  };
  return [
    ...image.tasks,
    staticPod(node, {
      name: 'kube-controller-manager',
      image,
      flags: renderFlags(settings, {
        names: { concurrentHorizontalPodAustoscalerSyncs: 'concurrent-horizontal-pod-autoscaler-syncs' },
      }),
      resources: { cpuRequest: '100m', ...config },
      priorityClass: 'system-cluster-critical',
      liveness: { path: '/healthz', ...node.kubernetes.controllerManagerProbe, initialDelaySeconds: 15 },
      mounts: [
        { name: 'etcssl', path: '/etc/ssl', readOnly: true },
        { name: 'kubernetesca', path: CA_FILE, readOnly: true, type: 'File' },
        { name: 'srvkcm', path: CONTROLLER_MANAGER_PKI_DIR, readOnly: true },
        { name: 'varlibkcm', path: CONTROLLER_MANAGER_DIR, readOnly: true },
        { name: 'volplugins', path: VOLUME_PLUGIN_DIR, readOnly: false },
      ],
      after: [
        fileId(CA_FILE),
        certificateId('kube-controller-manager'),
        fileId(`${CONTROLLER_MANAGER_DIR}/kubeconfig`),
        ...['ca.crt', 'ca.key', 'service-account.key'].map((file) => fileId(`${CONTROLLER_MANAGER_PKI_DIR}/${file}`)),
      ],
    }),
  ];
}
