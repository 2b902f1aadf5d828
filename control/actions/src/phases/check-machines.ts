import type { CloudLayer } from '@kopsctl/model/cloud.ts';
import type { Completed } from '@kopsctl/spec/complete.ts';
import type { ParsedObject } from '@kopsctl/spec/parse.ts';
import { locateFault } from '@kopsctl/spec/validate.ts';
import { InvalidSpecError } from '../spec/complete.ts';
import { type ActionContext, inPhase } from './action.ts';

/**
 * Asks the cloud whether the images and machine types of all groups exist and fit each other.
 *
 * @throws InvalidSpecError with every one that cannot be used
 */
export async function checkMachines(
  context: ActionContext,
  { checkMachines: check }: Pick<CloudLayer, 'checkMachines'>,
  { cluster, instanceGroups }: Completed,
  objects: readonly ParsedObject[],
): Promise<void> {
  if (check === undefined) return;
  const faults = await inPhase(context, 'ask the cloud for images and machine types', () =>
    check(instanceGroups, context.signal),
  );
  if (faults.length === 0) return;
  throw new InvalidSpecError(
    `make ${cluster.metadata.name}`,
    faults.map((one) => locateFault(one, cluster, objects)),
  );
}
