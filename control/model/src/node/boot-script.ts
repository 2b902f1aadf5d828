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
  /** What systemd lets it do, and how much memory it may take: by default as a script that runs iptables. */
  readonly rights?: string;
  /** Other files that it is run again for when they change. */
  readonly watched?: readonly string[];
  /** What has to be there before; by default iptables. */
  readonly needs?: readonly TaskId[];
}

/**
 * What a service that runs iptables may use. The older kind of iptables loads kernel modules, and both kinds keep a lock in /run.
 * iptables reads the rules of a whole table, of which kube-proxy makes 100,000 in a large cluster: about 100 MiB.
 */
const SETS_PACKET_RULES = `MemoryMax=256M
${hardened({ capabilities: ['CAP_NET_ADMIN', 'CAP_NET_RAW', 'CAP_SYS_MODULE'], systemCalls: ['@module'] })}${confined(['/run'])}${COMPILES_NOTHING}`;

/** A shell script that is run now and at every boot, and again when it changes. */
export function bootScript({
  name,
  description,
  before,
  lines,
  rights = SETS_PACKET_RULES,
  watched = [],
  needs = ['Package/iptables'],
}: BootScript): readonly Task[] {
  const path = `/opt/kops/bin/${name}`;
  const unit = `${name}.service`;
  const restartOnPaths = [...watched, path, unitPath(unit)];
  const unitText = [
    '[Unit]',
    `Description=${description}`,
    `Before=${before}`,
    '',
    '[Service]',
    'Type=oneshot',
    'RemainAfterExit=yes',
    `ExecStart=${path}`,
    rights,
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
      restartOn: after(...restartOnPaths.map(fileId)),
      restartOnPaths,
      after: after(...needs),
    }),
  ];
}
