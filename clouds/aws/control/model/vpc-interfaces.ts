import { bootScript } from '@kopsctl/model/node/boot-script.ts';
import type { MachinePart } from '@kopsctl/model/node/machine-part.ts';
import { fileName, nodeTask, textFile } from '@kopsctl/model/node/node-task.ts';
import { KUBELET_UNIT } from '@kopsctl/node-plan/kubelet-unit.ts';
import { COMPILES_NOTHING, confined, hardened } from '@kopsctl/node-plan/service-hardening.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { usesInterfacesOfVpc } from '@kopsctl/spec/names.ts';
import type { Task } from '@kopsctl/tasks/task.ts';

const NAME = 'vpc-interfaces';
const POLICY_ROUTES = '/etc/udev/rules.d/99-vpc-policy-routes.rules';

/**
 * Where pods have addresses of interfaces that are attached to the machine, the network sets those up, and its distribution
 * leaves them and the addresses of pods alone (kops nodeup/pkg/model/networking/eni_networking.go). A file about a program that a
 * distribution does not have is read by nobody there.
 */
export const vpcInterfaces = (spec: ClusterSpec): MachinePart | undefined =>
  usesInterfacesOfVpc(spec) ? { tasks: tasks(), awaited: [`Service/${NAME}.service`] } : undefined;

const tasks = (): readonly Task[] => [
  ...Object.entries(FILES).map(([path, lines]) => textFile(path, `${lines.join('\n')}\n`)),
  // A link to nothing takes the place of the rules of the same name that come with Amazon Linux (udev(7)).
  nodeTask('Symlink', fileName(POLICY_ROUTES), { path: POLICY_ROUTES, target: '/dev/null' }),
  ...bootScript({
    name: NAME,
    description: 'Leave the interfaces of pods to their network',
    before: KUBELET_UNIT,
    lines: LINES,
    rights: `MemoryMax=64M\n${hardened()}${confined(['/run', '/etc/udev/rules.d'])}${COMPILES_NOTHING}`,
    watched: Object.keys(FILES),
    needs: [`Symlink/${fileName(POLICY_ROUTES)}`],
  }),
];

const FILES: Readonly<Record<string, readonly string[]>> = {
  // amazon-vpc-cni-k8s#2103: an address that systemd changes is one that the network does not know.
  '/etc/systemd/network/99-default.link': [
    '[Match]',
    'OriginalName=*',
    '',
    '[Link]',
    'NamePolicy=keep kernel database onboard slot path',
    'AlternativeNamesPolicy=database onboard slot path',
    'MACAddressPolicy=none',
  ],
  // amazon-vpc-cni-k8s#3524: systemd would ask for addresses and make routes for every interface that is attached. The first
  // file that matches counts: this one comes after those of single interfaces (10-netplan-…, 70-…) and before Amazon
  // Linux's own for all (80-ec2). `Name=!` would match the other names of an interface.
  '/etc/systemd/network/75-vpc-interfaces.network': [
    '[Match]',
    'Driver=ena',
    'Property=!INTERFACE=@{primaryInterface}',
    '',
    '[Link]',
    'Unmanaged=yes',
  ],
};

/**
 * Stops what began before these files existed:
 * - Amazon Linux 2023 gives the machine the addresses of pods, now and each minute.
 * - nm-cloud-setup of Red Hat's family makes rules for each address of pods, which come before those of the network. Applying
 *   the connection once more takes back what was added to it.
 * - Debian 11 asks for an address for everything that is called en…, the ends of pods' connections too (eni…).
 *
 * systemd-networkd reads its files when it starts.
 */
const LINES = `if [ -e /usr/lib/systemd/system/policy-routes@.service ]; then
  udevadm control --reload
  systemctl stop 'policy-routes@*.service' 'refresh-policy-routes@*.service' 'refresh-policy-routes@*.timer'
  rm -f /run/systemd/network/*/ec2net_alias.conf
fi
if [ -e /usr/lib/systemd/system/nm-cloud-setup.timer ] && [ ! -L /etc/systemd/system/nm-cloud-setup.timer ]; then
  systemctl disable --now nm-cloud-setup.timer nm-cloud-setup.service
  systemctl mask nm-cloud-setup.timer nm-cloud-setup.service
  nmcli device reapply '@{primaryInterface}'
fi
helper=/etc/udev/rules.d/75-cloud-ifupdown.rules
if grep -qs 'eth\\*|en\\*' "$helper"; then
  sed -i 's/eth\\*|en\\*/eth*|ens*/' "$helper"
  udevadm control --reload
fi
if systemctl is-active --quiet systemd-networkd.service; then
  systemctl restart systemd-networkd.service
fi`.split('\n');
