import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { HostMachines } from '@kopsctl/model/cloud.ts';
import { JOURNAL_COMMAND } from '@kopsctl/model/journal-command.ts';
import { nearestName } from '@kopsctl/spec/nearest-name.ts';
import { execa } from 'execa';
import { describeLocal } from './local-cluster.ts';
import type { LocalCloud } from './supervisor/client.ts';
import { continueWhenStopped } from './processes/continue-stopped.ts';

/** The machines of a local cluster, for the user at this computer. */
export const hostMachines = (local: LocalCloud): HostMachines => ({
  async console(machine) {
    await requireMachine(local, machine);
    return local.console(machine);
  },
  async journal(machine) {
    await requireMachine(local, machine);
    const { exitCode, stdout, stderr } = await local.exec(machine, JOURNAL_COMMAND);
    if (exitCode === 0) return stdout;
    throw new Error(`journalctl on ${machine} failed with exit code ${exitCode}: ${stderr.trim()}`);
  },
  async exec(machine, command) {
    await requireMachine(local, machine);
    const [file = '', ...args] = await local.execArgv(machine, command);
    const running = execa(file, args, { stdio: 'inherit', reject: false });
    const { exitCode } = await running.finally(continueWhenStopped(running.pid));
    return exitCode ?? 255;
  },
  async reboot(machine) {
    await requireMachine(local, machine);
    await local.rebootMachine(machine);
  },
  async terminate(machine) {
    await requireMachine(local, machine);
    await local.terminateMachine(machine);
  },
});

/** A mistyped name is not success: it has no console, and nothing of it is left to terminate. */
async function requireMachine(local: LocalCloud, machine: string): Promise<void> {
  const names = (await describeLocal(local)).machines.map(({ name }) => name);
  if (names.includes(machine)) return;
  const near = nearestName(machine, names);
  throw new ActionableError({
    what: `use the machine ${machine} of ${local.cluster}`,
    why: `not found; existing machines: ${names.join(', ') || 'none'}`,
    next: near === undefined ? 'choose one of these' : `did you mean ${near}?`,
  });
}
