import type { Task } from '@kopsctl/tasks/task.ts';
import { renderFlags, settingsOf, type Settings } from '../flags.ts';
import { wishedKubelet } from '../store/node-marks.ts';
import { certificateId, controllerServing, servingName } from './certificates.ts';
import { kubernetesImage } from './images.ts';
import type { NodeContext } from './node-context.ts';
import { fileId } from './node-task.ts';
import { CA_FILE, CONTROLLER_MANAGER_DIR, CONTROLLER_MANAGER_PKI_DIR } from './paths.ts';
import { staticPod } from './static-pod.ts';
import { SYSTEM_AUTHORITIES } from './system-authorities.ts';

const NAME = 'kube-controller-manager';

/** The CA with which each signer of Kubernetes signs. Where one signer has flags of its own, all need them. */
const signers = (dir: string): Settings =>
  Object.fromEntries(
    [
      ['KubeletServing', 'kubelet-serving-ca'],
      ['KubeletClient', 'ca'],
      ['KubeApiserverClient', 'ca'],
      ['LegacyUnknown', 'ca'],
    ].flatMap(([signer, ca]) => [
      [`clusterSigning${signer}CertFile`, `${dir}/${ca}.crt`],
      [`clusterSigning${signer}KeyFile`, `${dir}/${ca}.key`],
    ]),
  );

/** The controller manager's static pod and its serving certificate. */
export function kubeControllerManager(node: NodeContext): readonly Task[] {
  const config = node.spec.kubeControllerManager ?? {};
  const image = kubernetesImage(node, NAME);
  const { leaderElection: _, ...wished } = settingsOf(config);
  // The controllers attach volumes by the drivers that kubelet runs.
  const { volumePluginDirectory: flexVolumePluginDir } = wishedKubelet(node, node.instanceGroup);
  const settings: Settings = {
    ...wished,
    ...settingsOf(config.leaderElection ?? {}),
    // It starts beside the API server. Unlike kube-scheduler it would otherwise end where that does not answer yet, and wait in
    // back-off; it learns who may read /metrics as soon as the API server answers.
    authenticationTolerateLookupFailure: true,
    ...signers(CONTROLLER_MANAGER_PKI_DIR),
    flexVolumePluginDir,
    kubeconfig: `${CONTROLLER_MANAGER_DIR}/kubeconfig`,
    ...(node.kubernetes.controllerManagerPlainPort && { port: 0 }),
  };
  return [
    ...image.tasks,
    controllerServing(node, NAME, CONTROLLER_MANAGER_PKI_DIR),
    staticPod(node, {
      name: NAME,
      image,
      flags: renderFlags(settings, {
        names: { concurrentHorizontalPodAustoscalerSyncs: 'concurrent-horizontal-pod-autoscaler-syncs' },
      }),
      resources: config,
      priorityClass: 'system-cluster-critical',
      readOnlyRoot: true,
      probes: { liveness: { path: '/healthz', port: 10257, initialDelaySeconds: 15 } },
      mounts: [
        ...SYSTEM_AUTHORITIES,
        { name: 'kubernetesca', path: CA_FILE, readOnly: true, type: 'File' },
        { name: 'srvkcm', path: CONTROLLER_MANAGER_PKI_DIR, readOnly: true },
        { name: 'varlibkcm', path: CONTROLLER_MANAGER_DIR, readOnly: true },
        ...(flexVolumePluginDir === undefined
          ? []
          : [{ name: 'volplugins', path: flexVolumePluginDir, readOnly: false }]),
      ],
      after: [
        fileId(CA_FILE),
        ...[NAME, servingName(NAME)].map(certificateId),
        fileId(`${CONTROLLER_MANAGER_DIR}/kubeconfig`),
        ...['ca.crt', 'ca.key', 'kubelet-serving-ca.crt', 'kubelet-serving-ca.key', 'service-account.key'].map((file) =>
          fileId(`${CONTROLLER_MANAGER_PKI_DIR}/${file}`),
        ),
      ],
    }),
  ];
}
