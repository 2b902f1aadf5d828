import type { Task } from '@kopsctl/tasks/task.ts';
import { after, fileId, nodeTask, textFile, unitFile, unitPath } from './node-task.ts';

export interface BootScript {
  /** Of the script and, with `.service`, of its unit. */
  readonly name: string;
  readonly description: string;
  /** The unit that starts only after it. */
  readonly before: string;
  readonly lines: readonly string[];
}

/** A shell script that sets packet rules with iptables, now and at every boot. It is run again when it changes. */
export function bootScript({ name, description, before, lines }: BootScript): readonly Task[] {
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
    '',
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
      after: after('Package/iptables'),
    }),
  ];
}
