import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { nearestName } from '@kopsctl/spec/nearest-name.ts';
import { isKnown, type NodeEvidence, type NotKnown } from './evidence.ts';
import { nextForAccess } from './own-access.ts';

/** No source that answered has ever heard of a node of that name. */
export const isUnknown = ({ machine, report, kept, enrolment, objects }: NodeEvidence): boolean =>
  !isKnown(machine) &&
  report === undefined &&
  kept === undefined &&
  enrolment === undefined &&
  (!isKnown(objects) || objects.node === undefined);

/** Where the cloud was asked: `names` are those of its machines. */
export function unknownNode(node: string, cluster: string, names: readonly string[]): ActionableError {
  const near = nearestName(node, names);
  return new ActionableError({
    what: `explain node ${node}`,
    why: `${cluster} has no node with that name (it has ${names.join(', ') || 'none'})`,
    next:
      near === undefined
        ? '`kopsctl get nodes` shows those that there are; an instance group that lacks machines can be named too'
        : `did you mean ${near}?`,
  });
}

/** Where the cloud could not be asked. `names` are the names that the state store knows. */
export function unknownToStore(node: string, cloud: NotKnown, names: readonly string[]): ActionableError {
  const near = nearestName(node, names);
  return new ActionableError({
    what: `explain node ${node}`,
    why: `the state store knows nothing of that name, and this computer could not ask the cloud: ${cloud.failure}`,
    next: `${near === undefined ? '' : `did you mean ${near}? Otherwise, `}${nextForAccess(cloud)}`,
  });
}

/** Only the cloud can say why an instance group lacks machines. */
export const groupNotAsked = (group: string, cloud: NotKnown): ActionableError =>
  new ActionableError({
    what: `explain the instance group ${group}`,
    why: `this computer could not ask the cloud: ${cloud.failure}`,
    next: nextForAccess(cloud),
  });
