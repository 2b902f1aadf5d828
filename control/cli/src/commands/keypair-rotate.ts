import { rotateKeypairs as rotate, type RotatedKeypairs } from '@kopsctl/actions/rotate-keypairs.ts';
import type { RollManner } from '@kopsctl/actions/roll-cluster.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { nextCommand } from '../output/next-command.ts';
import { writeOut } from '../output/terminal.ts';
import { type RollFlags, rollRequestOf } from '../flags/roll-flags.ts';

export interface RotateOptions extends RollFlags {
  /** Machines are replaced as well; otherwise the commands for that are printed. */
  readonly roll?: boolean;
}

/** Continues the exchange of all key pairs. Exits with 2 where something is left to do. */
export async function rotateKeypairs(
  global: GlobalOptions,
  name: string | undefined,
  options: RotateOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { yes = false, roll = true } = options;
  const context = actionContext(global, env, { tells: 'changes', endsInOrder: true });
  const choice = { apiServer: options.apiServer, usesKubeconfig: options.useKubeconfig };
  const rotated = await rotate(context, { cluster: name, yes, choice, ...(roll && { manner: mannerOf(options) }) });
  writeOut(`${describe(global, rotated, yes)}\n`);
  return rotated.next.action === 'nothing' ? 0 : 2;
}

/** What a person may say about how machines are rolled. */
const MANNER = ['budget', 'drainTimeout', 'validationTimeout'] as const;

/** Without these flags, a rotation that is resumed keeps what was asked for before. */
function mannerOf(options: RotateOptions): RollManner {
  const resumes = MANNER.every((name) => options[name] === undefined);
  return { ...rollRequestOf(options), resumes };
}

function describe(global: GlobalOptions, { cluster, phase, next }: RotatedKeypairs, yes: boolean): string {
  const again = nextCommand(global, ['keypair', 'rotate', cluster, '--yes']);
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
