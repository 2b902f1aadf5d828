import { taskId, type Json, type Task } from '@kopsctl/tasks/task.ts';
import { cgroupDriver } from './cgroup-driver.ts';
import type { NodeContext } from './node-context.ts';
import { after, archiveTask, assetTask, fileId, nodeTask, textFile, unitFile, unitPath } from './node-task.ts';

const CONFIG = '/etc/docker/daemon.json';
const SERVICE = 'docker.service';
const SOCKET = 'docker.socket';
/** The archive brings its own containerd and runc; in a folder of their own they shadow nobody's. */
const BIN_DIR = '/opt/docker/bin';

/**
 * Docker from its static release archive, for kubelets that still drive it themselves. The daemon's settings are in
 * daemon.json, where kops 1.20 gives flags in /etc/sysconfig/docker.
 */
export function runtimeDocker(node: NodeContext): readonly Task[] {
  const { docker } = node.spec;
  const entry = node.assets.prefer('docker', docker?.version);
  const asset = assetTask(node, entry);
  const archive = archiveTask(entry, asset, BIN_DIR, 1);
  return [
    asset,
    archive,
    textFile(CONFIG, `${JSON.stringify(daemonConfig(node), null, 2)}\n`),
    nodeTask('Symlink', 'usr/local/bin/docker', { path: '/usr/local/bin/docker', target: `${BIN_DIR}/docker` }),
    unitFile(SERVICE, serviceText(node)),
    unitFile(SOCKET, SOCKET_TEXT),
    nodeTask('Service', SOCKET, {
      unit: SOCKET,
      enabled: true,
      running: true,
      after: after(fileId(unitPath(SOCKET)), fileId(unitPath(SERVICE))),
    }),
    nodeTask('Service', SERVICE, {
      unit: SERVICE,
      enabled: true,
      running: true,
      restartOn: after(fileId(CONFIG), fileId(unitPath(SERVICE))),
      restartOnPaths: [CONFIG, unitPath(SERVICE)],
      after: after(taskId(archive), `Service/${SOCKET}`, 'KernelModule/overlay', 'Package/iptables'),
    }),
  ];
}

/** What kops 1.20 sets (docker.storage overlay2, ipMasq and ipTables off, json logs of 10 MB), then the spec's. */
function daemonConfig(node: NodeContext): { readonly [key: string]: Json } {
  const { docker } = node.spec;
  const options = (docker?.logOpt ?? ['max-size=10m', 'max-file=5']).map((option) => {
    const [key, ...value] = option.split('=');
    return [key ?? option, value.join('=')];
  });
  return {
    'exec-opts': [`native.cgroupdriver=${cgroupDriver(node)}`],
    // kubelet and kube-proxy own the node's iptables.
    iptables: docker?.ipTables ?? false,
    'ip-masq': docker?.ipMasq ?? false,
    'log-driver': docker?.logDriver ?? 'json-file',
    'log-level': docker?.logLevel ?? 'info',
    'log-opts': Object.fromEntries(options),
    'storage-driver': docker?.storage ?? 'overlay2',
    ...(node.cloud === 'local' ? LOCAL_RUNTIME : {}),
    ...(docker?.registryMirrors && { 'registry-mirrors': docker.registryMirrors }),
    ...(docker?.insecureRegistries && { 'insecure-registries': docker.insecureRegistries }),
  };
}

/**
 * Docker asks runc for every capability and for oom scores that a local machine may not have; the wrapper of the
 * machine's image asks for what there is (docs/local-cloud.md).
 */
const LOCAL_RUNTIME = {
  'default-runtime': 'local',
  runtimes: { local: { path: '/usr/local/lib/local-machine/runc' } },
} as const satisfies { readonly [key: string]: Json };

/** A local machine may lack the right to lower its oom score. */
const serviceText = (node: NodeContext) => `[Unit]
Description=Docker Application Container Engine
Documentation=https://docs.docker.com
After=network-online.target firewalld.service
Wants=network-online.target
Requires=docker.socket

[Service]
Environment=PATH=${BIN_DIR}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
EnvironmentFile=-/etc/environment
Type=notify
ExecStart=${BIN_DIR}/dockerd -H fd://
ExecReload=/bin/kill -s HUP $MAINPID
TimeoutSec=0
RestartSec=2
Restart=always
StartLimitBurst=3
StartLimitInterval=60s
LimitNOFILE=infinity
LimitNPROC=infinity
LimitCORE=infinity
TasksMax=infinity
Delegate=yes
KillMode=process
${node.cloud === 'local' ? '' : 'OOMScoreAdjust=-500\n'}
[Install]
WantedBy=multi-user.target
`;

const SOCKET_TEXT = `[Unit]
Description=Docker Socket for the API
PartOf=docker.service

[Socket]
ListenStream=/run/docker.sock
SocketMode=0660
SocketUser=root
SocketGroup=root

[Install]
WantedBy=sockets.target
`;
