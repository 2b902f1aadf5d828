import { COMPILES_NOTHING, confined, hardened } from '@kopsctl/node-plan/service-hardening.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { NodeContext } from './node-context.ts';
import { after, fileId, nodeTask, textFile, unitFile, unitPath } from './node-task.ts';

const UNIT = 'kops-ntp.service';
/** Where Debian and Red Hat look for it; the other one reads nothing there. */
const CONFIGS = ['/etc/chrony/chrony.conf', '/etc/chrony.conf'];

export const timePackages = ({ spec }: NodeContext): readonly string[] =>
  spec.ntp?.managed === true ? ['chrony'] : [];

/**
 * chrony, where the spec wants the clock kept (kops nodeup/pkg/model/ntp.go). Where the spec says nothing, the image keeps it in
 * its own way.
 */
export function timeService(node: NodeContext): readonly Task[] {
  if (node.spec.ntp?.managed !== true) return [];
  const { timeServer } = node.cloud;
  const files = timeServer === undefined ? [] : CONFIGS.map((path) => textFile(path, chronyConfig(timeServer)));
  const paths = files.length === 0 ? [] : CONFIGS;
  return [
    ...files,
    unitFile(UNIT, STARTER),
    nodeTask('Service', UNIT, {
      unit: UNIT,
      enabled: true,
      running: true,
      restartOn: after('Package/chrony', fileId(unitPath(UNIT)), ...paths.map(fileId)),
      restartOnPaths: [unitPath(UNIT), ...paths],
    }),
  ];
}

const chronyConfig = (server: string): string => `pool ${server} prefer iburst
driftfile /var/lib/chrony/drift
leapsectz right/UTC
logdir /var/log/chrony
makestep 1.0 3
maxupdateskew 100.0
rtcsync
`;

/**
 * Debian calls the unit chrony, Red Hat chronyd. Nothing enables it: this starts it at each boot, and enabling a unit that has an
 * init script as well makes Debian write links all over /etc.
 */
const STARTER = `[Unit]
Description=Start chrony with the configuration of the cluster

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh -c "unit=chronyd; test -e /lib/systemd/system/chrony.service && unit=chrony; systemctl restart $$unit.service"
MemoryMax=64M
${hardened()}${confined([])}${COMPILES_NOTHING}
[Install]
WantedBy=multi-user.target
`;

const policyOf = ({ instanceGroup, spec }: NodeContext): string | undefined =>
  instanceGroup.spec.updatePolicy ?? spec.updatePolicy;

/** Other families of distributions do not have it: there kops leaves updates to the image as well. */
export const updatePackages = (node: NodeContext): readonly Task[] =>
  policyOf(node) === 'automatic'
    ? [nodeTask('Package', 'unattended-upgrades', { name: 'unattended-upgrades', onlyOn: 'debian' })]
    : [];

const APT = '/etc/apt/apt.conf.d/20auto-upgrades';

/**
 * Automatic updates of the operating system, on or off (kops nodeup/pkg/model/update_service.go). Where the spec says nothing,
 * the image decides.
 */
export function updates(node: NodeContext): readonly Task[] {
  const policy = policyOf(node);
  if (policy === 'external') return [textFile(APT, 'APT::Periodic::Enable "0";\n')];
  if (policy !== 'automatic') return [];
  return [
    textFile(
      APT,
      'APT::Periodic::Update-Package-Lists "1";\nAPT::Periodic::Unattended-Upgrade "1";\nAPT::Periodic::AutocleanInterval "7";\n',
    ),
  ];
}
