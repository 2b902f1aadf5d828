import { RESTRAINED } from '@kopsctl/node-plan/service-hardening.ts';
import { environmentFileValue } from '@kopsctl/node-plan/systemd-quoting.ts';
import { taskId, type Task, type TaskId } from '@kopsctl/tasks/task.ts';
import { stringify } from 'yaml';
import { KUBELET_UNIT } from '@kopsctl/node-plan/kubelet-unit.ts';
import { renderFlags, type FlagRules } from '../flags.ts';
import { wishedKubelet } from '../store/node-marks.ts';
import { kubeletServing } from './certificates.ts';
import { runtimeService } from './images.ts';
import type { KubeletConfiguration } from './kubelet-configuration.ts';
import { kubeletSettings, POD_LIMIT } from './kubelet-settings.ts';
import { METADATA_GUARD } from './metadata-guard.ts';
import type { NodeContext } from './node-context.ts';
import { sliceOf } from './slice-of.ts';
import { after, assetTask, fileId, nodeTask, programFile, textFile, unitFile, unitPath } from './node-task.ts';
import { kubeletPackages } from './packages.ts';
import { installRegistryCredentials } from './registry-credentials.ts';
import { CA_FILE, KUBELET_CLIENT, KUBELET_KUBECONFIG, KUBELET_SERVER, MANIFESTS_DIR } from './paths.ts';
import { SERVICE_GUARD } from './service-guard.ts';

const PROGRAM = '/usr/local/bin/kubelet';
const OPTIONS = '/etc/sysconfig/kubelet';
const CONFIG = '/var/lib/kubelet/kubelet.conf';

/** Settings without a field in the configuration file whose flag has another name than kops's field. */
const FLAG_NAMES: FlagRules['names'] = {
  kubeconfigPath: 'kubeconfig',
  networkPluginName: 'network-plugin',
};

/**
 * kubelet. It waits for the runtime and for what it reads at its start, but for no image and no manifest: it needs
 * about ten seconds before its first pod anyway, and the images arrive meanwhile.
 */
export function kubelet(node: NodeContext): readonly Task[] {
  const asset = assetTask(node, node.assets.find('kubelet', node.kubernetesVersion));
  const settings = kubeletSettings(node);
  const registries = installRegistryCredentials(node);
  const flags = renderFlags({ ...settings.flags, ...registries.flags, config: CONFIG }, { names: FLAG_NAMES });
  const read = [PROGRAM, OPTIONS, CONFIG, unitPath(KUBELET_UNIT), ...registries.read];
  // Workers have no key to issue one with: protokube gets theirs from an authority, and restarts kubelet where it must.
  const serving = node.isControlPlane ? [kubeletServing()] : [];
  const needs: TaskId[] = [
    runtimeService(node),
    ...(node.isControlPlane ? [fileId(CA_FILE)] : []),
    fileId(KUBELET_KUBECONFIG),
    `Directory/${MANIFESTS_DIR.slice(1)}`,
    'Sysctls/99-k8s-general',
    METADATA_GUARD,
    SERVICE_GUARD,
    ...(node.cloud.podNetworkPart?.(node.spec)?.awaited ?? []),
    ...kubeletPackages(node).map((name): TaskId => `Package/${name}`),
    ...registries.needs,
    ...serving.map(taskId),
  ];
  return [
    asset,
    programFile(PROGRAM, asset),
    nodeTask('Directory', MANIFESTS_DIR.slice(1), { path: MANIFESTS_DIR, mode: '0755' }),
    textFile(OPTIONS, `DAEMON_ARGS=${environmentFileValue(flags.join(' '))}\nHOME="/root"\n`),
    textFile(CONFIG, configText(settings.file)),
    ...serving,
    ...registries.tasks,
    unitFile(KUBELET_UNIT, unitText(node)),
    nodeTask('Service', KUBELET_UNIT, {
      unit: KUBELET_UNIT,
      enabled: true,
      running: true,
      // kubelet on a worker starts only when an authority has attested the machine. nodeup does not wait for that.
      ...(node.isControlPlane ? {} : { noBlock: true }),
      // kubelet before 1.31 reads its certificate only at its start.
      restartOn: after(...read.map(fileId), ...serving.map(taskId)),
      restartOnPaths: [...read, ...serving.map(() => `${KUBELET_SERVER}.crt`)],
      after: after(...needs),
    }),
  ];
}

const configText = (file: KubeletConfiguration): string =>
  stringify(
    { apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration', ...file },
    { lineWidth: 0, sortMapEntries: true },
  ).replace(`"${POD_LIMIT}"`, POD_LIMIT);

/**
 * kops nodeup/pkg/model/kubelet.go. kubelet mounts the volumes of pods, and the whole machine has to see these mounts. It has no
 * memory limit, because it keeps account of what it would be killed for.
 */
function unitText(node: NodeContext): string {
  return `[Unit]
Description=Kubernetes Kubelet Server
Documentation=https://github.com/kubernetes/kubernetes
After=${node.runtime}.service

[Service]
EnvironmentFile=${OPTIONS}
${node.isControlPlane ? '' : `ExecStartPre=/opt/kops/bin/protokube --wait-for-certificate ${KUBELET_CLIENT}.crt\nTimeoutStartSec=infinity\n`}ExecStart=${PROGRAM} $DAEMON_ARGS
Restart=always
RestartSec=2s
StartLimitInterval=0
KillMode=process
User=root
CPUAccounting=true
MemoryAccounting=true
${sliceOf(wishedKubelet(node, node.instanceGroup).kubeletCgroups)}${RESTRAINED}
[Install]
WantedBy=multi-user.target
`;
}
