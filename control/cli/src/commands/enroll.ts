import { enrollMachine } from '@kopsctl/actions/enroll-machine.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../global-options.ts';
import { nextCommand } from '../next-command.ts';
import { writeErr, writeOut } from '../terminal.ts';

export interface EnrollOptions {
  readonly cluster?: string;
  readonly instanceGroup: string;
  readonly host: string;
  readonly address?: string;
  readonly sshUser: string;
  readonly sshPort: number;
}

/** Makes a machine that no cloud lists one of a cluster. */
export async function enroll(
  global: GlobalOptions,
  argument: string | undefined,
  { cluster = argument, sshUser: user, sshPort: port, ...machine }: EnrollOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const context = actionContext(global, env, { tells: 'changes', endsInOrder: true });
  const enrolled = await enrollMachine(context, { ...machine, cluster, user, port });
  const { node, address, instanceGroup, goodUntil } = enrolled;
  writeOut(`Enrolled ${node} (address ${address}, group ${instanceGroup}) in ${enrolled.cluster}\n`);
  if (goodUntil !== undefined) {
    writeErr(`A control plane calls it on port 3987; it may prove itself for the first time until ${goodUntil}\n`);
  }
  writeErr(`Next: \`${nextCommand(global, ['get', 'nodes', '--name', enrolled.cluster])}\` shows how it boots\n`);
  return 0;
}
