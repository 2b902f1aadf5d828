import type { Task } from '@kopsctl/tasks/task.ts';
import { stringify } from 'yaml';
import { renderFlags, settingsOf, type Settings } from '../flags.ts';
import { certificateId } from './certificates.ts';
import { kubernetesImage } from './images.ts';
import type { NodeContext } from './node-context.ts';
import { fileId, textFile } from './node-task.ts';
import { CA_FILE, SCHEDULER_DIR } from './paths.ts';
import { staticPod } from './static-pod.ts';

const CONFIG = `${SCHEDULER_DIR}/config.yaml`;

/** The scheduler's static pod and its configuration file. */
export function kubeScheduler(node: NodeContext): readonly Task[] {
  const config = node.spec.kubeScheduler ?? {};
  const image = kubernetesImage(node, 'kube-scheduler');
  const { leaderElection: _, qps, burst, ...wished } = settingsOf(config);
  const client = {
    kubeconfig: `${SCHEDULER_DIR}/kubeconfig`,
    ...(burst ? { burst } : {}),
    ...(qps ? { qps: Number(qps) } : {}),
  };
  const settings: Settings = {
    leaderElect: true,
    logLevel: 2,
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
    staticPod(node, {
      name: 'kube-scheduler',
      image,
      flags: renderFlags(settings, { names: { usePolicyConfigMap: '', maxPersistentVolumes: '' } }),
      resources: { cpuRequest: '100m', ...config },
      priorityClass: 'system-cluster-critical',
      liveness: { path: '/healthz', ...node.kubernetes.schedulerProbe, initialDelaySeconds: 15 },
      mounts: [
        { name: 'kubernetesca', path: CA_FILE, readOnly: true, type: 'File' },
        { name: 'varlibkubescheduler', path: SCHEDULER_DIR, readOnly: true },
      ],
      after: [fileId(CA_FILE), fileId(CONFIG), certificateId('kube-scheduler'), fileId(`${SCHEDULER_DIR}/kubeconfig`)],
    }),
  ];
}
