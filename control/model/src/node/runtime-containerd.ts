import type { ContainerdConfig } from '@kopsctl/spec/cluster.ts';
import { taskId, type Task } from '@kopsctl/tasks/task.ts';
import { containerdSettings, containerdSocket } from '../runtime/containerd-settings.ts';
import { containerdAsset, runcAsset } from '../assets/runtime-assets.ts';
import { type RuntimeHandlers, runtimeHandlers } from '../runtime/runtime-handlers.ts';
import { cgroupDriver } from './cgroup-driver.ts';
import { usesKubenet } from '@kopsctl/spec/names.ts';
import { CNI_TEMPLATE, cniTemplate } from './cni.ts';
import {
  containerdConfig,
  type ContainerdHost,
  GVISOR_CONFIG,
  gvisorConfig,
  registryHosts,
} from './containerd-config.ts';
import { wishedKubelet } from '../store/node-marks.ts';
import { pauseImage } from './images.ts';
import type { NodeContext } from './node-context.ts';
import {
  after,
  archiveTask,
  assetTask,
  fileId,
  nodeTask,
  programFile,
  textFile,
  unitFile,
  unitPath,
} from './node-task.ts';
import { seLinuxPolicy } from './runtime-packages.ts';
import { sliceOf } from './slice-of.ts';

const UNIT = 'containerd.service';
const CONFIG = '/etc/containerd/config.toml';
const OPTIONS = '/etc/sysconfig/containerd';
const RUNC = '/usr/local/sbin/runc';

/** containerd from its release archive, laid out as upstream's own instructions do. */
export function runtimeContainerd(node: NodeContext): readonly Task[] {
  const settings = containerdSettings(node.spec, node.instanceGroup);
  if (settings.skipInstall === true) return [installedBySomebodyElse()];
  const entry = containerdAsset(node.assets, settings, node.kubernetes);
  const asset = assetTask(node, entry);
  const archive = archiveTask(entry, asset, '/usr/local');
  const runc = assetTask(node, runcAsset(node.assets, settings));
  const template = usesKubenet(node.spec) ? [cniTemplate()] : [];
  const mirrors = mirrorFiles(node, settings);
  const handlers = runtimeHandlers(node.spec, node.instanceGroup);
  // The runtime reads the CNI template when kubelet tells it the node's range, long after its start, and mirrors when it pulls.
  return [
    asset,
    archive,
    runc,
    programFile(RUNC, runc),
    ...template,
    ...mirrors,
    ...(handlers.gvisor === undefined ? [] : [textFile(GVISOR_CONFIG, gvisorConfig(handlers.gvisor))]),
    textFile(CONFIG, settings.configOverride ?? containerdConfig(settings, hostOf(node, entry.version, handlers))),
    textFile(OPTIONS, `CONTAINERD_OPTS=${optionsOf(settings)}\n`),
    textFile('/etc/crictl.yaml', `runtime-endpoint: unix://${containerdSocket(settings)}\n`),
    unitFile(UNIT, unitText(node)),
    nodeTask('Service', UNIT, {
      unit: UNIT,
      enabled: true,
      running: true,
      restartOn: after(fileId(CONFIG), fileId(OPTIONS), fileId(unitPath(UNIT)), fileId(RUNC)),
      restartOnPaths: [CONFIG, OPTIONS, unitPath(UNIT), RUNC],
      after: after(
        taskId(archive),
        fileId(RUNC),
        'KernelModule/overlay',
        ...[...mirrors, ...seLinuxPolicy(node)].map(taskId),
      ),
    }),
  ];
}

/** With skipInstall, the image of machines or a hook brings containerd with its settings. It need only run. */
const installedBySomebodyElse = (): Task =>
  nodeTask('Service', UNIT, { unit: UNIT, enabled: true, running: true, restartOn: [], restartOnPaths: [], after: [] });

const hostOf = (node: NodeContext, version: string, handlers: RuntimeHandlers): ContainerdHost => ({
  handlers,
  version,
  sandboxImage: pauseImage(node).reference,
  cgroupDriver: cgroupDriver(node),
  cannotLowerOomScore: node.cloud.traits.sharesHost,
  cniTemplate: usesKubenet(node.spec) ? CNI_TEMPLATE : undefined,
});

function mirrorFiles(node: NodeContext, { registryMirrors = {} }: ContainerdConfig): readonly Task[] {
  const { registryMirror } = node.cloud;
  const near = registryMirror === undefined ? [] : [registryMirror];
  const registries = new Set([...Object.keys(registryMirrors), ...(near.length === 0 ? [] : ['*'])]);
  return [...registries].toSorted().map((registry) => {
    const { path, text } = registryHosts(registry, [...near, ...(registryMirrors[registry] ?? [])]);
    return textFile(path, text);
  });
}

/** The settings that are flags of containerd. */
function optionsOf({ address, logLevel, root, state }: ContainerdConfig): string {
  const flags = { address, 'log-level': logLevel, root, state };
  return Object.entries(flags)
    .flatMap(([name, value]) => (value === undefined ? [] : `--${name}=${value}`))
    .join(' ');
}

/**
 * A machine that shares its host may lack the right to lower its OOM score. It has none of the restrictions that other units
 * have: containers inherit its system call filters, its capabilities bound those of privileged containers, and it mounts for the
 * whole machine. Nor does it have a memory limit, because it is the parent of what it would be killed for.
 */
const unitText = (node: NodeContext) => `[Unit]
Description=containerd container runtime
Documentation=https://containerd.io
After=network.target local-fs.target

[Service]
EnvironmentFile=${OPTIONS}
EnvironmentFile=-/etc/environment
ExecStartPre=-/sbin/modprobe overlay
${relabelled(node)}ExecStart=/usr/local/bin/containerd -c ${CONFIG} $CONTAINERD_OPTS
Type=notify
Delegate=yes
KillMode=process
Restart=always
RestartSec=5
LimitNPROC=infinity
LimitCORE=infinity
LimitNOFILE=1048576
TasksMax=infinity
${sliceOf(wishedKubelet(node, node.instanceGroup).runtimeCgroups)}${node.cloud.traits.sharesHost ? '' : 'OOMScoreAdjust=-999\n'}
[Install]
WantedBy=multi-user.target
`;

/** Programs that were unpacked lack the label that the policy of SELinux gives them (kops nodeup/pkg/model/containerd.go). */
const relabelled = (node: NodeContext): string =>
  seLinuxPolicy(node).length === 0
    ? ''
    : `ExecStartPre=-/usr/sbin/restorecon /usr/local/bin/containerd /usr/local/bin/containerd-shim-runc-v2 ${RUNC}\n`;
