import { COMPILES_NOTHING, confined, hardened } from '@kopsctl/node-plan/service-hardening.ts';
import type { Task, TaskId } from '@kopsctl/tasks/task.ts';
import { after, fileId, nodeTask, textFile, unitFile, unitPath } from './node-task.ts';

export interface BootScript {
  /** The name of the script and, with `.service`, of its unit. */
  readonly name: string;
  readonly description: string;
  /** The units that start only after it. */
  readonly before: string;
  readonly lines: readonly string[];
  /** What the script needs besides iptables. */
  readonly needs?: readonly TaskId[];
}

/**
 * What a service that runs iptables may use. The older kind of iptables loads kernel modules, and both kinds keep a lock in /run.
 * iptables reads the rules of a whole table, of which kube-proxy makes 100,000 in a large cluster: about 100 MiB.
 */
const SETS_PACKET_RULES = `MemoryMax=256M
${hardened({ capabilities: ['CAP_NET_ADMIN', 'CAP_NET_RAW', 'CAP_SYS_MODULE'], systemCalls: ['@module'] })}${confined(['/run'])}${COMPILES_NOTHING}`;

/** A shell script that sets packet rules with iptables, now and at every boot. It is run again when it changes. */
export function bootScript({ name, description, before, lines, needs = [] }: BootScript): readonly Task[] {
  const path = `/opt/kops/bin/${name}`;
  const unit = `${name}.service`;
  const unitText = [
    '[Unit]',
    `Description=${description}`,
    `Before=${before}`,
    '',
    '[Service]',
    'Type=oneshot',
    'RemainAfterExit=yes',
    `ExecStart=${path}`,
    SETS_PACKET_RULES,
    '[Install]',
    'WantedBy=basic.target',
    '',
  ].join('\n');
  return [
    textFile(path, ['#!/bin/sh', 'set -e', ...lines, ''].join('\n'), { mode: '0755' }),
    unitFile(unit, unitText),
    nodeTask('Service', unit, {
      unit,
      enabled: true,
      running: true,
      restartOn: after(fileId(path), fileId(unitPath(unit))),
      restartOnPaths: [path, unitPath(unit)],
      after: after('Package/iptables', ...needs),
    }),
  ];
}
