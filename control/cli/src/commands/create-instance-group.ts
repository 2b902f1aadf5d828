import { createInstanceGroup as create } from '@kopsctl/actions/create-instance-group.ts';
import { MACHINE_ROLE } from '@kopsctl/model/create-cluster/machines-of-channel.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { roleOf } from '../flags/machine-role.ts';
import { nextCommand } from '../output/next-command.ts';
import { printEdited } from '../output/print-edited.ts';
import { printed } from '../output/print-objects.ts';
import { writeDocument, writeOut } from '../output/terminal.ts';

export interface CreateGroupOptions {
  readonly role: string;
  readonly subnet?: readonly string[];
  readonly zone?: readonly string[];
  readonly dryRun?: boolean;
  readonly output: 'yaml' | 'json';
  readonly edit?: boolean;
}

/** Infers an instance group of a cluster that exists, stores it, and lets the person edit it. */
export async function createInstanceGroup(
  global: GlobalOptions,
  name: string,
  {
    role,
    subnet: subnets = [],
    zone: zones = [],
    dryRun = false,
    output,
    edit = process.stdin.isTTY,
  }: CreateGroupOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const created = await create(actionContext(global, env), {
    name,
    role: MACHINE_ROLE[roleOf(role, '--role')],
    subnets,
    zones,
    dryRun,
    openEditor: edit ? (await import('../open-editor.ts')).openEditor(env) : undefined,
  });
  switch (created.kind) {
    case 'shown':
      writeDocument(await printed([created.group], output));
      return 0;
    case 'edited':
      return printEdited(global, created.edited);
    case 'stored':
      if (created.next !== undefined) writeOut(`Next: ${nextCommand(global, [...created.next, '--yes'])}\n`);
      return 0;
  }
}
