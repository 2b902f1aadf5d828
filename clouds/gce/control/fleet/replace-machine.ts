import { setTimeout as sleep } from 'node:timers/promises';
import { change, read, remove, type ResourcePath, resourcePath } from '../handlers/compute-calls.ts';
import type { GceCloud } from '../handlers/gce-cloud.ts';
import { doing } from '../handlers/google-error.ts';
import type { ListedGroup } from './fleet-groups.ts';
import { listedGroups } from './listed-groups.ts';

/** A machine at one time. When it is recreated, its name, `<zone>/<name>`, stays, but Google's number for it does not. */
export interface NumberedMachine {
  readonly name: string;
  readonly id: string;
}

/** Google shuts a machine down for up to 90 seconds before it deletes it. */
const LOOK_EVERY_MS = 2_000;
/** The machine cannot run again: its group is making another one under its name. */
const ENDS = ['STOPPING', 'TERMINATED', 'DEPROVISIONING'];

/** Where a machine is, by `<zone>/<name>`. */
export function machinePath({ project }: GceCloud, name: string): ResourcePath {
  const [zone = '', instance = ''] = name.split('/');
  return resourcePath(project, `zones/${zone}`, 'instances', instance);
}

/** The managed group that has this machine now, and not a later machine of the same name. */
export async function groupOfMachine(
  gce: GceCloud,
  { id }: NumberedMachine,
  signal: AbortSignal,
): Promise<ListedGroup | undefined> {
  return (await listedGroups(gce, signal)).find(({ listed }) => listed.some((one) => one.id === id));
}

/**
 * Lets the managed group of a machine recreate it under its name, from the group's current template. Resolves when the old
 * machine is gone, or cannot run again. May be repeated.
 */
export function replaceMachine(gce: GceCloud, machine: NumberedMachine, signal: AbortSignal): Promise<void> {
  return doing(`replace ${machine.name}`, async () => {
    const path = machinePath(gce, machine.name);
    const isGone = async (): Promise<boolean> => {
      const found = await read(gce, path, signal);
      return found === undefined || found.text('id') !== machine.id || ENDS.includes(found.text('status'));
    };
    if (await isGone()) return;
    const group = await groupOfMachine(gce, machine, signal);
    if (group === undefined) await remove(gce, path, signal);
    else if (!group.listed.some(({ id, action }) => id === machine.id && action === 'RECREATING')) {
      const body = { instances: [path] };
      await change(gce, { method: 'POST', path: `${group.path}/recreateInstances`, body }, signal);
    }
    while (!(await isGone())) await sleep(LOOK_EVERY_MS, undefined, { signal });
  });
}
