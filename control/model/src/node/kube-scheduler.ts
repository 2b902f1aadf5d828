import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { taskId, type Task } from '@kopsctl/tasks/task.ts';
import { RETIRED_SETTINGS } from '@kopsctl/spec/retired-settings.ts';
import { stringify } from 'yaml';
import { isRecord } from '@kopsctl/tasks/record.ts';
import { decimalOf, renderFlags, settingsOf, type Setting, type Settings } from '../flags.ts';
import { certificateId, controllerServing, servingName } from './certificates.ts';
import { kubernetesImage } from './images.ts';
import type { NodeContext } from './node-context.ts';
import { fileId, textFile } from './node-task.ts';
import { CA_FILE, SCHEDULER_DIR, SCHEDULER_PKI_DIR } from './paths.ts';
import { staticPod } from './static-pod.ts';

const NAME = 'kube-scheduler';
const CONFIG = `${SCHEDULER_DIR}/config.yaml`;
const KUBECONFIG = `${SCHEDULER_DIR}/kubeconfig`;

const RETIRED = Object.fromEntries(RETIRED_SETTINGS.kubeScheduler.map((field) => [field, '']));

/** The scheduler's static pod, its configuration file if it takes one, and its serving certificate. */
export function kubeScheduler(node: NodeContext): readonly Task[] {
  const config = node.spec.kubeScheduler ?? {};
  const image = kubernetesImage(node, NAME);
  const { maxPersistentVolumes } = config;
  const { leaderElection: _, maxPersistentVolumes: __, ...wished } = settingsOf(config);
  const own = ownSettings(node, wished);
  const settings: Settings = { ...own.flags, ...settingsOf(config.leaderElection ?? {}) };
  return [
    ...image.tasks,
    ...own.files,
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
      readOnlyRoot: true,
      probes: { liveness: { path: '/healthz', port: 10259, initialDelaySeconds: 15 } },
      mounts: [
        { name: 'kubernetesca', path: CA_FILE, readOnly: true, type: 'File' },
        { name: 'srvscheduler', path: SCHEDULER_PKI_DIR, readOnly: true },
        { name: 'varlibkubescheduler', path: SCHEDULER_DIR, readOnly: true },
      ],
      after: [
        ...[CA_FILE, KUBECONFIG].map(fileId),
        ...own.files.map(taskId),
        ...[NAME, servingName(NAME)].map(certificateId),
      ],
    }),
  ];
}

/** Its settings, by a file, or by flags where only those close its port without TLS. */
function ownSettings(
  { kubernetes: { schedulerConfigVersion: apiVersion }, kubernetesVersion, schedulerConfiguration }: NodeContext,
  { qps, burst, ...wished }: Settings,
): { readonly flags: Settings; readonly files: readonly Task[] } {
  if (apiVersion === undefined) {
    if (schedulerConfiguration !== undefined) {
      throw new ActionableError({
        what: 'configure the scheduler',
        why: `the scheduler of Kubernetes ${kubernetesVersion} is configured by flags alone, which close its port without TLS`,
        next: 'remove KubeSchedulerConfiguration from the additional objects of the cluster',
      });
    }
    const rates = { ...(burst ? { kubeAPIBurst: burst } : {}), ...(qps ? { kubeAPIQPS: qps } : {}) };
    return { flags: { ...wished, ...rates, kubeconfig: KUBECONFIG, port: 0 }, files: [] };
  }
  // Beside a file, their flags are ignored (Kubernetes cmd/kube-scheduler/app/options/deprecated.go).
  const { enableContentionProfiling, enableProfiling, kubeAPIBurst, kubeAPIQPS, ...flags } = wished;
  const [wishedBurst, wishedQps] = [burst || kubeAPIBurst, qps || kubeAPIQPS];
  const given = schedulerConfiguration?.['clientConnection'];
  const clientConnection = {
    ...(isRecord(given) && given),
    kubeconfig: KUBECONFIG,
    ...(wishedBurst ? { burst: wishedBurst } : {}),
    ...(isRate(wishedQps) ? { qps: Number(decimalOf(wishedQps)) } : {}),
  };
  const text = stringify(
    {
      apiVersion,
      kind: 'KubeSchedulerConfiguration',
      ...schedulerConfiguration,
      ...(enableContentionProfiling !== undefined && { enableContentionProfiling }),
      ...(enableProfiling !== undefined && { enableProfiling }),
      clientConnection,
    },
    { sortMapEntries: true },
  );
  return { flags: { ...flags, config: CONFIG }, files: [textFile(CONFIG, text)] };
}

const isRate = (value: Setting): value is string | number =>
  (typeof value === 'string' && value !== '') || (typeof value === 'number' && value !== 0);
