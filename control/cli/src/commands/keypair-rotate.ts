import { applyCluster } from '@kopsctl/actions/apply-cluster.ts';
import { isMade } from '@kopsctl/actions/phases/make-cluster.ts';
import { rollCluster } from '@kopsctl/actions/roll-cluster.ts';
import { type RollCluster, rotateKeypairs as rotate, type RotatedKeypairs } from '@kopsctl/actions/rotate-keypairs.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../global-options.ts';
import { nextCommand } from '../next-command.ts';
import { writeOut } from '../terminal.ts';
import { type RollingUpdateOptions, rollRequestOf } from './rolling-update.ts';

export interface RotateOptions extends RollingUpdateOptions {
  /** Machines are replaced as well; otherwise it is said with which commands. */
  readonly roll?: boolean;
}

/** Goes on with the exchange of all key pairs. Exits with 2 where something is left to do. */
export async function rotateKeypairs(
  global: GlobalOptions,
  name: string | undefined,
  options: RotateOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { yes = false, roll = true } = options;
  const context = actionContext(global, env, { tells: 'changes', endsInOrder: true });
  const rotated = await rotate(context, { cluster: name, yes, ...(roll && { roll: rollWith(options) }) });
  writeOut(`${describe(global, rotated, yes)}\n`);
  return rotated.next.action === 'nothing' ? 0 : 2;
}

/** Applies the cluster, so that plans name the new key pairs, and replaces its machines as `rolling-update cluster` does. */
const rollWith =
  (options: RotateOptions): RollCluster =>
  async (context, cluster) => {
    const { assets } = options;
    const { result } = await applyCluster(context, { cluster, scope: { prune: false }, assets });
    if (!isMade(result)) return false;
    const rolled = await rollCluster(context, { ...rollRequestOf(options), cluster, yes: true });
    return rolled.roll === undefined || rolled.roll.state === 'done';
  };

function describe(global: GlobalOptions, { cluster, phase, next }: RotatedKeypairs, yes: boolean): string {
  const again = nextCommand(global, ['keypair', 'rotate', cluster, '--yes']);
  const kubeconfig = nextCommand(global, ['export', 'kubeconfig', cluster]);
  const at = `The rotation of ${cluster} stands at ${phase}`;
  switch (next.action) {
    case 'nothing':
      return `All key pairs of ${cluster} have been exchanged. A kubeconfig from before is of no use any more. Next:\n  ${kubeconfig}`;
    case 'wait':
      return `${at}: tokens of pods are replaced until ${new Date(next.untilMs).toISOString()}. Until then, renew the kubeconfig, which trusts and shows key pairs of before:\n  ${kubeconfig}\nThen:\n  ${again}`;
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
      return `${at}: would take the trust from the old key pairs of ${next.keysets.join(', ')}. ${addYes(yes)}`;
    case 'advance':
      return `${at}, and would go on to ${next.rotation.phase}. ${addYes(yes)}`;
  }
}

const addYes = (yes: boolean): string => (yes ? 'Run it again.' : 'Add --yes to do it.');
