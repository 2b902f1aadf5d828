import type { Task, TaskId } from '@kopsctl/tasks/task.ts';
import { taskId } from '@kopsctl/tasks/task.ts';
import { cgroupDriver } from './cgroup-driver.ts';
import { CNI_BIN_DIR, CNI_CONF_DIR, CNI_TEMPLATE, cniTemplate, usesKubenet } from './cni.ts';
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

const UNIT = 'containerd.service';
const CONFIG = '/etc/containerd/config.toml';
const OPTIONS = '/etc/sysconfig/containerd';
const RUNC = '/usr/local/sbin/runc';
export const CONTAINERD_SOCKET = 'unix:///run/containerd/containerd.sock';

/** containerd from its release archive, laid out as upstream's own instructions do. */
export function runtimeContainerd(node: NodeContext): readonly Task[] {
  const { containerd } = node.spec;
  const entry = node.assets.prefer('containerd', containerd?.version);
  const asset = assetTask(node, entry);
  const archive = archiveTask(entry, asset, '/usr/local');
  const runcAsset = assetTask(node, node.assets.find('runc'));
  const kubenet = usesKubenet(node);
  const needs: TaskId[] = [taskId(archive), fileId(RUNC), 'KernelModule/overlay'];
  // The runtime reads the CNI template when kubelet tells it the node's range, long after its start.
  return [
    asset,
    archive,
    runcAsset,
    programFile(RUNC, runcAsset),
    ...(kubenet ? [cniTemplate()] : []),
    textFile(CONFIG, containerd?.configOverride ?? config(node, kubenet)),
    textFile(
      OPTIONS,
      `CONTAINERD_OPTS=${containerd?.logLevel === undefined ? '' : `--log-level=${containerd.logLevel}`}\n`,
    ),
    textFile('/etc/crictl.yaml', `runtime-endpoint: ${CONTAINERD_SOCKET}\n`),
    unitFile(UNIT, unitText(node)),
    nodeTask('Service', UNIT, {
      unit: UNIT,
      enabled: true,
      running: true,
      restartOn: after(fileId(CONFIG), fileId(OPTIONS), fileId(unitPath(UNIT)), fileId(RUNC)),
      restartOnPaths: [CONFIG, OPTIONS, unitPath(UNIT), RUNC],
      after: after(...needs),
    }),
  ];
}

/** Version 2 is read by containerd 1.3 to 2.x. */
function config(node: NodeContext, kubenet: boolean): string {
  const cri = 'plugins."io.containerd.grpc.v1.cri"';
  const mirrors = Object.entries(node.spec.containerd?.registryMirrors ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    'version = 2',
    '',
    `[${cri}]`,
    `  sandbox_image = ${toml(pauseImage(node).reference)}`,
    // A host without CAP_SYS_RESOURCE cannot lower an oom score; without this no pod would start there.
    ...(node.cloud.traits.sharesHost ? ['  restrict_oom_score_adj = true'] : []),
    `  [${cri}.cni]`,
    `    bin_dir = ${toml(CNI_BIN_DIR)}`,
    `    conf_dir = ${toml(CNI_CONF_DIR)}`,
    ...(kubenet ? [`    conf_template = ${toml(CNI_TEMPLATE)}`] : []),
    `  [${cri}.containerd]`,
    '    default_runtime_name = "runc"',
    `    [${cri}.containerd.runtimes.runc]`,
    '      runtime_type = "io.containerd.runc.v2"',
    `      [${cri}.containerd.runtimes.runc.options]`,
    `        SystemdCgroup = ${cgroupDriver(node) === 'systemd'}`,
    ...mirrors.flatMap(([registry, endpoints]) => [
      `  [${cri}.registry.mirrors.${toml(registry)}]`,
      `    endpoint = [${endpoints.map(toml).join(', ')}]`,
    ]),
    '',
  ].join('\n');
}

/** A TOML basic string; JSON's escapes are a subset of its own. */
const toml = (text: string) => JSON.stringify(text);

/** A machine that shares its host may lack the right to lower its OOM score. */
const unitText = (node: NodeContext) => `[Unit]
Description=containerd container runtime
Documentation=https://containerd.io
After=network.target local-fs.target

[Service]
EnvironmentFile=${OPTIONS}
EnvironmentFile=-/etc/environment
ExecStartPre=-/sbin/modprobe overlay
ExecStart=/usr/local/bin/containerd -c ${CONFIG} $CONTAINERD_OPTS
Type=notify
Delegate=yes
KillMode=process
Restart=always
RestartSec=5
LimitNPROC=infinity
LimitCORE=infinity
LimitNOFILE=infinity
TasksMax=infinity
${node.cloud.traits.sharesHost ? '' : 'OOMScoreAdjust=-999\n'}
[Install]
WantedBy=multi-user.target
`;
