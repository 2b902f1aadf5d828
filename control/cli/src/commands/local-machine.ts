import { openHostMachines } from '@kopsctl/actions/open-host-machines.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { nextCommand } from '../output/next-command.ts';
import { writeOut } from '../output/terminal.ts';

export async function printConsole(global: GlobalOptions, machine: string, env: NodeJS.ProcessEnv): Promise<number> {
  writeOut(await (await openHostMachines(actionContext(global, env))).console(machine));
  return 0;
}

/** Runs a command on a machine with this terminal's input and output; its exit code is ours. */
export async function execOnMachine(
  global: GlobalOptions,
  machine: string,
  command: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const machines = await openHostMachines(actionContext(global, env));
  return machines.exec(machine, command.length === 0 ? ['/bin/bash'] : command);
}

export async function rebootMachine(global: GlobalOptions, machine: string, env: NodeJS.ProcessEnv): Promise<number> {
  await (await openHostMachines(actionContext(global, env))).reboot(machine);
  writeOut(`${machine} reboots\n`);
  return 0;
}

export async function terminateMachine(
  global: GlobalOptions,
  machine: string,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  await (await openHostMachines(actionContext(global, env))).terminate(machine);
  writeOut(`${machine} is gone; \`${nextCommand(global, ['apply', '--yes'])}\` makes a new one\n`);
  return 0;
}
