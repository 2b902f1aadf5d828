import { COMPILES_NOTHING, confined, hardened } from '@kopsctl/node-plan/service-hardening.ts';
import { usesInterfacesOfVpc } from '@kopsctl/spec/names.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { NodeContext } from './node-context.ts';
import { after, fileId, nodeTask, textFile, unitFile, unitPath } from './node-task.ts';

const CHECKSUM_UNIT = 'flannel-tx-checksum-offload-disable.service';
/** systemd's name of the interface that flannel makes for its tunnel. */
const FLANNEL_DEVICE = 'sys-devices-virtual-net-flannel.1.device';

/** What a network that runs as pods needs of the machine, beyond what every network needs. */
export function podNetwork(node: NodeContext): readonly Task[] {
  const { networking = {} } = node.spec;
  return [
    ...(networking.flannel?.disableTxChecksumOffloading === true ? plainChecksums() : []),
    ...(networking.cilium !== undefined || usesInterfacesOfVpc(node.spec) ? foreignRoutes() : []),
    ...(node.cloud.podNetworkPart?.(node.spec)?.tasks ?? []),
  ];
}

/** Some drivers send wrong checksums through a tunnel (flannel#1279). */
function plainChecksums(): readonly Task[] {
  const unit = [
    '[Unit]',
    'Description=Checksums of the flannel tunnel by the kernel',
    `After=${FLANNEL_DEVICE}`,
    '',
    '[Service]',
    'Type=oneshot',
    'ExecStart=/sbin/ethtool -K flannel.1 tx-checksum-ip-generic off',
    'MemoryMax=64M',
    `${hardened({ capabilities: ['CAP_NET_ADMIN'] })}${confined([])}${COMPILES_NOTHING}`,
    '[Install]',
    `WantedBy=${FLANNEL_DEVICE}`,
    '',
  ].join('\n');
  return [
    unitFile(CHECKSUM_UNIT, unit),
    // The device starts it; there is none yet.
    nodeTask('Service', CHECKSUM_UNIT, {
      unit: CHECKSUM_UNIT,
      enabled: true,
      running: false,
      after: after(fileId(unitPath(CHECKSUM_UNIT))),
    }),
  ];
}

/**
 * The system leaves the routes and rules of pods alone (kops nodeup/pkg/model/networking/{cilium,eni_networking}.go). It
 * reads this when it starts again, which is also when it would remove them.
 */
const foreignRoutes = (): readonly Task[] => [
  textFile(
    '/etc/systemd/networkd.conf.d/40-foreign-routes.conf',
    '[Network]\nManageForeignRoutes=no\nManageForeignRoutingPolicyRules=no\n',
  ),
  // kops#17881: cloud-init would set up the network again whenever an interface is attached.
  textFile('/etc/cloud/cloud.cfg.d/99-no-network-hotplug.cfg', 'updates:\n  network:\n    when: [boot-new-instance]\n'),
];
