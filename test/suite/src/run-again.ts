import type { Phase } from './phases.ts';
import type { EndedPhase } from './verdict.ts';

/** More failed files than this are not an accident. */
const MOST = 2;

/**
 * The phase that runs the failed files of another one once more, one after the other and with nothing beside them: some tests
 * ask how soon real programs do something, and a processor that seven clusters share cannot promise that. Undefined if there is
 * nothing to run again, or so much that it would only hide what is broken. The verdict names what passed in this way.
 */
export function againPhase(phase: Phase, ended: EndedPhase): Phase | undefined {
  const failed = ended.tally?.failed ?? [];
  const files = [...new Set(failed.map(({ name }) => name.split(' > ')[0] ?? name))];
  if (files.length === 0 || files.length > MOST) return undefined;
  return {
    ...phase,
    name: `${phase.name} again`,
    command: [...phase.command, ...files, '--no-file-parallelism'],
  };
}
