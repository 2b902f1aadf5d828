import { listByPost, pathIn } from './compute-calls.ts';
import type { GceCloud } from './gce-cloud.ts';
import { doing } from './google-error.ts';

/** A machine as its managed group lists it. */
export interface ManagedMachine {
  /** `projects/acme/zones/us-east1-b/instances/nodes-x7k2` */
  readonly path: string;
  /** Google's number for it: a machine that is recreated under its name has another one. Empty until there is one. */
  readonly id: string;
  /** What the group does with it, `NONE` at rest. */
  readonly action: string;
  /** The template that it was made from, or is made from again. */
  readonly template: string;
}

/** The machines of a managed group, given by its path. */
export const managedMachines = (
  gce: GceCloud,
  group: string,
  signal: AbortSignal,
): Promise<readonly ManagedMachine[]> =>
  doing(`list the machines of ${group}`, async () => {
    const found = await listByPost(gce, `${group}/listManagedInstances`, 'managedInstances', signal);
    return found.map((answer) => ({
      path: pathIn(answer.text('instance')),
      id: answer.text('id', ''),
      action: answer.text('currentAction', 'NONE'),
      template: answer.has('version') ? pathIn(answer.object('version').text('instanceTemplate', '')) : '',
    }));
  });
