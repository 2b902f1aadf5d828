import type { ReadMachineState } from './read-machine-state.ts';

type Drift = NonNullable<ReadMachineState['drift']>;

/** In a few words, how a machine compares with its plan. */
export function driftOf({ drift }: Pick<ReadMachineState, 'drift'>): string {
  if (drift === undefined) return 'not checked yet';
  const count = drift.differences.length + (drift.more ?? 0);
  const told = count === 0 ? 'none' : `${count} ${count === 1 ? 'task differs' : 'tasks differ'}`;
  return drift.repaired === undefined ? told : `${told}, ${drift.repaired.tasks.length} repaired`;
}

/** What differs, a line each. */
export const driftLines = ({ differences, more = 0 }: Drift): readonly string[] => [
  ...differences.map(({ task, what, outcome, why }) => {
    if (outcome === 'unknown') return `it is not known whether it differs from its plan in ${task}: ${why ?? ''}`;
    return `differs from its plan in ${task}: would ${what}${why === undefined ? '' : ` (${why})`}`;
  }),
  ...(more > 0 ? [`differs from its plan in ${more} more tasks`] : []),
];
