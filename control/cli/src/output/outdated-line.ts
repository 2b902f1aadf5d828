import type { OutdatedOverview } from '@kopsctl/actions/outdated/look-for-outdated.ts';
import { describeOutdated } from '@kopsctl/actions/outdated/plan-outdated.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import { nextCommand } from './next-command.ts';

/** Enough to tell plans apart. */
const SHORT_HASH = 12;

/**
 * That machines are outdated, how, and what to do about it; empty where none is.
 *
 * @param isPlanned they are outdated once the changes of a plan are applied
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
  const units = differenceLines(outdated);
  return `${count} ${isPlanned ? 'then run' : 'run'} an older plan:\n${lines.join('')}${units}${isPlanned ? 'To replace them afterwards' : 'Next'}: ${next}\n`;
}

/** More of them are named by `rolling-update cluster -o json`. */
const MOST_UNITS = 20;

/** What differs, unit by unit, once for all machines of a group that run the same plan. */
function differenceLines(outdated: OutdatedOverview['outdated']): string {
  const known = outdated.filter(({ differences = [] }) => differences.length > 0);
  const alike = Map.groupBy(
    known,
    ({ machine, runs, wanted }) => `${machine.instanceGroup} ${runs ?? ''} ${wanted ?? ''}`,
  );
  return [...alike.values()]
    .map(([first]) => {
      const { machine, runs = '', wanted = '', differences = [] } = first ?? {};
      const units = differences.slice(0, MOST_UNITS).map(({ task, change, fields }) => {
        const what =
          change === 'changed' ? `~ ${task} (${fields.join(', ')})` : `${change === 'added' ? '+' : '-'} ${task}`;
        return `    ${what}\n`;
      });
      const more = differences.length - units.length;
      const rest = more > 0 ? `    and ${more} more: rolling-update cluster -o json\n` : '';
      const plans = `${runs.slice(0, SHORT_HASH)} to ${wanted.slice(0, SHORT_HASH)}`;
      return `  The plan of ${machine?.instanceGroup ?? ''}, from ${plans}:\n${units.join('')}${rest}`;
    })
    .join('');
}
