import { GoogleRefusal } from '@kopsctl/google/google-refusal.ts';
import { remove } from './compute-calls.ts';
import type { GceCloud } from './gce-cloud.ts';
import { doing } from './google-error.ts';
import { clusterGroups } from './cluster-groups.ts';
import { clusterTemplates } from './instance-template.ts';
import { managedMachines } from './managed-machines.ts';

/**
 * Removes the unused templates of an instance group: no managed group makes machines from them, and no existing machine was
 * made from them. A template stays until its last machine is gone, because Google recreates a failed machine from the
 * template that it had. Each change of a group leaves a template behind, and a project may have only a limited number of
 * them.
 *
 * A template that Google refuses to delete stays, and the next change finds it again.
 */
export async function removeUnusedTemplates(gce: GceCloud, instanceGroup: string, signal: AbortSignal): Promise<void> {
  const own = (await clusterTemplates(gce, signal)).filter((template) => template.instanceGroup === instanceGroup);
  if (own.length < 2) return;
  const groups = (await clusterGroups(gce, signal)).filter((group) => group.instanceGroup === instanceGroup);
  // A group that is not listed may use any of them.
  if (groups.length === 0) return;
  const machines = await Promise.all(groups.map(({ path }) => managedMachines(gce, path, signal)));
  const used = new Set([
    ...groups.flatMap(({ templates }) => templates),
    ...machines.flat().map(({ template }) => template),
  ]);
  for (const { path, name } of own.filter((template) => !used.has(template.path))) {
    await doing(`delete the instance template ${name}`, () => removeUnlessRefused(gce, path, signal));
  }
}

async function removeUnlessRefused(gce: GceCloud, path: string, signal: AbortSignal): Promise<void> {
  try {
    await remove(gce, path, signal);
  } catch (thrown) {
    if (!(thrown instanceof GoogleRefusal)) throw thrown;
  }
}
