import type { OutdatedOverview } from '@kopsctl/actions/outdated/look-for-outdated.ts';
import { describeOutdated } from '@kopsctl/actions/outdated/plan-outdated.ts';
import type { GlobalOptions } from './global-options.ts';
import { nextCommand } from './next-command.ts';

/**
 * That machines are outdated, how, and what to do about it; empty where none is.
 *
 * @param isPlanned they are once the changes of a plan are applied
 */
export function outdatedLines(
  global: Pick<GlobalOptions, 'stateFlag'>,
  cluster: string,
  overview: OutdatedOverview | undefined,
  isPlanned: boolean,
): string {
  if (overview === undefined || overview.outdated.length === 0) return '';
  const { machines, outdated } = overview;
  const count = `${outdated.length} of ${machines} machines`;
  const lines = outdated.map((one) => `  ${one.machine.name}: ${describeOutdated(one)}\n`);
  const next = nextCommand(global, ['rolling-update', 'cluster', cluster, '--yes']);
  return `${count} ${isPlanned ? 'then run' : 'run'} an older plan:\n${lines.join('')}${isPlanned ? 'To replace them afterwards' : 'Next'}: ${next}\n`;
}
