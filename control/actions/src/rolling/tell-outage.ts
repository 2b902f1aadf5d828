import type { FleetGroup } from '@kopsctl/model/fleet.ts';
import type { OutdatedMachine } from '../outdated/plan-outdated.ts';

/** What a person is told before machines are replaced: a cluster with one control plane has no API meanwhile. Pure. */
export function tellOutage(
  groups: readonly FleetGroup[],
  outdated: readonly Pick<OutdatedMachine, 'machine'>[],
): string | undefined {
  const controlPlanes = groups.filter(({ role }) => role === 'ControlPlane').flatMap(({ machines }) => machines);
  const [only] = controlPlanes;
  if (controlPlanes.length !== 1 || !outdated.some(({ machine }) => machine.id === only?.id)) return undefined;
  return `Note: ${only?.name ?? ''} is the only control plane: the API is unavailable while it is replaced; pods keep running`;
}
