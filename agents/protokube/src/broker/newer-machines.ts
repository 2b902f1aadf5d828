import { Wake } from '@kopsctl/agent/wake.ts';
import type { Latest } from '@kopsctl/node-cloud/latest.ts';
import type { CloudMachine, Observed } from '@kopsctl/node-cloud/node-cloud.ts';

/**
 * The list of machines once it differs from that of this revision, or as it is after a while; undefined if the cloud
 * has not answered yet.
 */
export async function newerMachines(
  machines: Latest<CloudMachine>,
  after: string | undefined,
  withinMs: number,
  signal: AbortSignal,
): Promise<Observed<CloudMachine> | undefined> {
  using wake = new Wake();
  machines.ringOnChange(wake);
  while (machines.revision === undefined || machines.revision === after) {
    if (!(await wake.wait(withinMs, signal))) break;
  }
  const { revision, items } = machines;
  return revision === undefined || items === undefined ? undefined : { revision, items };
}
