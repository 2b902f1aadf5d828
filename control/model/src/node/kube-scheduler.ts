import type { Task } from '@kopsctl/tasks/task.ts';
import { RETIRED_SETTINGS } from '@kopsctl/spec/retired-settings.ts';
import { stringify } from 'yaml';
import { renderFlags, settingsOf, type Settings } from '../flags.ts';
import { certificateId, controllerServing, servingName } from './certificates.ts';
import { kubernetesImage } from './images.ts';
import type { NodeContext } from './node-context.ts';
import { fileId, textFile } from './node-task.ts';
import { CA_FILE, SCHEDULER_DIR, SCHEDULER_PKI_DIR } from './paths.ts';
import { staticPod } from './static-pod.ts';

const NAME = 'kube-scheduler';
const CONFIG = `${SCHEDULER_DIR}/config.yaml`;

const RETIRED = Object.fromEntries(RETIRED_SETTINGS.kubeScheduler.map((field) => [field, '']));

/** The scheduler's static pod, its configuration file and its serving certificate. */
export function kubeScheduler(node: NodeContext): readonly Task[] {
  const config = node.spec.kubeScheduler ?? {};
  const image = kubernetesImage(node, NAME);
  const { maxPersistentVolumes } = config;
  const { leaderElection: _, maxPersistentVolumes: __, qps, burst, ...wished } = settingsOf(config);
  const client = {
    kubeconfig: `${SCHEDULER_DIR}/kubeconfig`,
    ...(burst ? { burst } : {}),
    ...(qps ? { qps: Number(qps) } : {}),
  };
  const settings: Settings = {
    ...wished,
    ...settingsOf(config.leaderElection ?? {}),
    config: CONFIG,
  };
  return [
    ...image.tasks,
    textFile(
      CONFIG,
      stringify({
        apiVersion: node.kubernetes.schedulerConfigVersion,
        clientConnection: client,
        kind: 'KubeSchedulerConfiguration',
      }),
    ),
    controllerServing(node, NAME, SCHEDULER_PKI_DIR),
    staticPod(node, {
      name: NAME,
      image,
      flags: renderFlags(settings, { names: RETIRED }),
      // kops pkg/model/components/kubescheduler.go: there is no flag for it.
      ...(maxPersistentVolumes === undefined
        ? {}
        : { env: [{ name: 'KUBE_MAX_PD_VOLS', value: String(maxPersistentVolumes) }] }),
      resources: config,
      priorityClass: 'system-cluster-critical',
      probes: { liveness: { path: '/healthz', ...node.kubernetes.schedulerProbe, initialDelaySeconds: 15 } },
      mounts: [
        { name: 'kubernetesca', path: CA_FILE, readOnly: true, type: 'File' },
        { name: 'srvscheduler', path: SCHEDULER_PKI_DIR, readOnly: true },
        { name: 'varlibkubescheduler', path: SCHEDULER_DIR, readOnly: true },
      ],
      after: [
        ...[CA_FILE, CONFIG, `${SCHEDULER_DIR}/kubeconfig`].map(fileId),
        ...[NAME, servingName(NAME)].map(certificateId),
      ],
    }),
  ];
}
