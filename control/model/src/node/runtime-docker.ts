import { taskId, type Json, type Task } from '@kopsctl/tasks/task.ts';
import { given } from '../create-cluster/given.ts';
import { dockerAsset } from '../assets/runtime-assets.ts';
import { cgroupDriver } from './cgroup-driver.ts';
import type { NodeContext } from './node-context.ts';
import { after, archiveTask, assetTask, fileId, nodeTask, textFile, unitFile, unitPath } from './node-task.ts';

const CONFIG = '/etc/docker/daemon.json';
const SERVICE = 'docker.service';
const SOCKET = 'docker.socket';
/** The archive contains containerd and runc as well; a separate folder keeps them out of the PATH. */
const BIN_DIR = '/opt/docker/bin';

/**
 * Docker from its static release archive, for kubelets that still drive it themselves. The daemon's settings are in
 * daemon.json, where kops 1.20 gives flags in /etc/sysconfig/docker.
 */
export function runtimeDocker(node: NodeContext): readonly Task[] {
  const entry = dockerAsset(node.assets, node.spec);
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

function daemonConfig(node: NodeContext): { readonly [key: string]: Json } {
  const { docker } = node.spec;
  const options = docker?.logOpt?.map((option) => {
    const [key = '', ...value] = option.split('=');
    return [key, value.join('=')];
  });
  return {
    'exec-opts': [`native.cgroupdriver=${cgroupDriver(node)}`],
    ...given({
      iptables: docker?.ipTables,
      'ip-masq': docker?.ipMasq,
      'log-driver': docker?.logDriver,
      'log-level': docker?.logLevel,
      'log-opts': options && Object.fromEntries(options),
      'storage-driver': docker?.storage,
    }),
    ...node.cloud.dockerSettings,
    ...(docker?.registryMirrors && { 'registry-mirrors': docker.registryMirrors }),
    ...(docker?.insecureRegistries && { 'insecure-registries': docker.insecureRegistries }),
  };
}

/**
 * A machine that shares its host may lack the right to lower its OOM score. Like containerd, it has no restrictions that
 * containers would inherit.
 */
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
${node.cloud.traits.sharesHost ? '' : 'OOMScoreAdjust=-500\n'}
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
