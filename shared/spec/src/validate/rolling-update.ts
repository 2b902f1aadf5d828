import type { Cluster } from '../cluster.ts';
import type { InstanceGroup } from '../instance-group.ts';
import { roleOf } from '../names.ts';
import type { RollingUpdate } from '../schema/machines.ts';
import { fault, type Fault } from './fault.ts';

const PATH = 'spec.rollingUpdate';

/** How many machines are replaced at once, in the cluster and in each group (kops pkg/apis/kops/validation/validation.go). */
export function* validateRollingUpdate({ spec }: Cluster, groups: readonly InstanceGroup[]): Iterable<Fault> {
  yield* faultsOf(spec.rollingUpdate);
  for (const group of groups) {
    const { rollingUpdate } = group.spec;
    const faults = [...faultsOf(rollingUpdate), ...faultsOfSurge(group)];
    for (const one of faults) yield { ...one, instanceGroup: group.metadata.name };
  }
}

function* faultsOf({ maxSurge, maxUnavailable }: RollingUpdate = {}): Iterable<Fault> {
  for (const [field, value] of Object.entries({ maxSurge, maxUnavailable })) {
    if (value === undefined || isCount(value)) continue;
    const message = String(value).startsWith('-')
      ? `${value} is negative`
      : `'${value}' is neither a number nor a percentage`;
    yield fault(`${PATH}.${field}`, message, 'such as 2, or 25%');
  }
  if (maxSurge !== undefined && maxUnavailable !== undefined && isZero(maxSurge) && isZero(maxUnavailable)) {
    yield fault(
      `${PATH}.maxSurge`,
      'maxSurge and maxUnavailable are both 0, so no machine could be replaced',
      'set one of them to 1 or more',
    );
  }
}

const isCount = (value: number | string): boolean => /^\d+(\.\d+%|%)?$/.test(String(value).trim());

const isZero = (value: number | string): boolean => Number.parseFloat(String(value)) === 0;

/** The volumes of a control plane are attached to one machine at a time. */
function* faultsOfSurge(group: InstanceGroup): Iterable<Fault> {
  const { maxSurge = 0 } = group.spec.rollingUpdate ?? {};
  if (group.spec.role === undefined || roleOf(group) !== 'ControlPlane' || !isCount(maxSurge) || isZero(maxSurge))
    return;
  yield fault(
    `${PATH}.maxSurge`,
    'a control plane gets no additional machine: its volumes are attached to one at a time',
    'write 0, or remove this field',
  );
}
