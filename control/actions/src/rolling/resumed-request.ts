import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { FORCED } from '../outdated/plan-outdated.ts';
import type { Asked } from './asked.ts';
import type { Roll } from './roll.ts';
import { isUnfinished } from './start-roll.ts';

/**
 * What continuing a rolling update asks for: what was asked of it. Journals of former versions do not tell that: then it
 * keeps to the machines that they name.
 *
 * @throws ActionableError where there is nothing to resume: to guess what a person wants would replace machines
 */
export function resumedRequest<Request extends Pick<Asked, 'force'>>(
  cluster: string,
  request: Request,
  former: Roll | undefined,
): Request & { readonly machines?: readonly string[] | undefined } {
  const state = former?.state;
  if (!isUnfinished(former)) {
    throw new ActionableError({
      what: `resume the rolling update of ${cluster}`,
      why: state === undefined ? 'it was never rolled' : `the latest one is ${state}`,
      next: `see which machines are outdated with \`kopsctl rolling-update cluster ${cluster}\``,
    });
  }
  if (former.asked !== undefined) return { ...request, ...former.asked };
  const open = former.turns.filter(({ step }) => step !== 'done');
  return { ...request, machines: open.map(({ id }) => id), force: open.some(({ why }) => why === FORCED) };
}
