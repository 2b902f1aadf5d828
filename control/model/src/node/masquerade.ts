import type { Task } from '@kopsctl/tasks/task.ts';
import type { NodeContext } from './node-context.ts';
import { after, fileId, nodeTask, textFile, unitFile, unitPath } from './node-task.ts';

const SCRIPT = '/opt/kops/bin/cni-iptables-setup';
const UNIT = 'cni-iptables-setup.service';

/**
 * Traffic that leaves the cluster takes the node's address (kops nodeup/pkg/model/containerd.go, cni-iptables-setup;
 * there it adds the rules again on each run, here they are first looked for). With Docker, kubelet's kubenet does it;
 * every other network brings its own.
 */
export function masquerade(node: NodeContext): readonly Task[] {
  const range = node.nonMasqueradeRange;
  const script = [
    '#!/bin/sh',
    'set -e',
    'ensure() { chain=$1; shift; iptables -w -t nat -C "$chain" "$@" 2>/dev/null || iptables -w -t nat -A "$chain" "$@"; }',
    'iptables -w -t nat -N IP-MASQ 2>/dev/null || true',
    'ensure POSTROUTING -m comment --comment "ip-masq: ensure nat POSTROUTING directs all non-LOCAL destination traffic to our custom IP-MASQ chain" -m addrtype ! --dst-type LOCAL -j IP-MASQ',
    `ensure IP-MASQ -d ${range} -m comment --comment "ip-masq: pod cidr is not subject to MASQUERADE" -j RETURN`,
    'ensure IP-MASQ -m comment --comment "ip-masq: outbound traffic is subject to MASQUERADE (must be last in chain)" -j MASQUERADE',
    '',
  ].join('\n');
  const unit = [
    '[Unit]',
    'Description=Masquerade what leaves the cluster',
    'Before=network.target',
    '',
    '[Service]',
    'Type=oneshot',
    'RemainAfterExit=yes',
    `ExecStart=${SCRIPT}`,
    '',
    '[Install]',
    'WantedBy=basic.target',
    '',
  ].join('\n');
  return [
    textFile(SCRIPT, script, { mode: '0755' }),
    unitFile(UNIT, unit),
    nodeTask('Service', UNIT, {
      unit: UNIT,
      enabled: true,
      running: true,
      restartOn: after(fileId(SCRIPT), fileId(unitPath(UNIT))),
      restartOnPaths: [SCRIPT, unitPath(UNIT)],
      after: after('Package/iptables'),
    }),
  ];
}
