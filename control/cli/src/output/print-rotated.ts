import type { RotatedKeypairs } from '@kopsctl/actions/rotate-keypairs.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { nextCommand } from './next-command.ts';
import { writeOut } from './terminal.ts';

export interface RotatedPrinting {
  readonly yes: boolean;
  /** Machines are rolled as well; otherwise the person does that. */
  readonly rolls: boolean;
}

/** Prints where a rotation stands and what comes next, and returns the exit code: 2 where something is left to do. */
export function printRotated(global: GlobalOptions, rotated: RotatedKeypairs, printing: RotatedPrinting): number {
  writeOut(`${describe(global, rotated, printing)}\n`);
  return rotated.next.action === 'nothing' ? 0 : 2;
}

function describe(
  global: GlobalOptions,
  { cluster, phase, next }: RotatedKeypairs,
  { yes, rolls }: RotatedPrinting,
): string {
  const again = nextCommand(global, ['keypair', 'rotate', cluster, '--yes', ...(rolls ? [] : ['--no-roll'])]);
  const kubeconfig = nextCommand(global, ['export', 'kubeconfig', cluster]);
  const at = `The rotation of ${cluster} is at the step ${phase}`;
  switch (next.action) {
    case 'nothing':
      return `All key pairs of ${cluster} have been exchanged. Kubeconfigs written before that no longer work. Next:\n  ${kubeconfig}`;
    case 'wait':
      return `${at}: the tokens of pods are being replaced until ${new Date(next.untilMs).toISOString()}. Until then, renew the kubeconfig, which trusts and presents the old key pairs:\n  ${kubeconfig}\nThen:\n  ${again}`;
    case 'roll': {
      const commands = [
        nextCommand(global, ['update', 'cluster', cluster, '--yes']),
        nextCommand(global, ['rolling-update', 'cluster', cluster, '--yes']),
        kubeconfig,
        again,
      ];
      const machines = `${next.machines.length} machines have not seen the newest key pairs (${next.machines.slice(0, 5).join(', ')}${next.machines.length > 5 ? ' …' : ''})`;
      return `${at}: ${machines}. Next:\n${commands.map((command) => `  ${command}`).join('\n')}`;
    }
    case 'create':
      return `${at}: would create a key pair of ${next.keysets.join(', ')}. ${addYes(yes)}`;
    case 'promote':
      return `${at}: would let the new key pairs of ${Object.keys(next.pairs).join(', ')} sign. ${addYes(yes)}`;
    case 'distrust':
      return `${at}: would distrust the old key pairs of ${next.keysets.join(', ')}. ${addYes(yes)}`;
    case 'advance':
      return `${at}, and would go on to ${next.rotation.phase}. ${addYes(yes)}`;
  }
}

const addYes = (yes: boolean): string => (yes ? 'Run it again.' : 'Add --yes to do it.');
