import { describeLocal, openLocal } from '@kopsctl/apply/local-cluster.ts';
import { localSettings } from '@kopsctl/apply/local-settings.ts';
import { chooseCluster, openStateStore } from '../open.ts';
import { printed } from '../print-objects.ts';
import type { GlobalOptions } from '../program.ts';
import { table } from '../table.ts';

/** Prints the machines of a local cluster. */
export async function getMachines(
  global: GlobalOptions,
  { output }: { readonly output: 'table' | 'yaml' | 'json' },
): Promise<number> {
  const cluster = await chooseCluster(global, undefined, await openStateStore(global));
  const { machines } = await describeLocal(openLocal(cluster, localSettings(process.env, undefined)));
  process.stdout.write(
    output === 'table'
      ? table(
          ['NAME', 'NODE', 'ROLE', 'GROUP', 'ADDRESS', 'STATE'],
          machines.map((one) => [one.name, one.nodeName, one.role, one.instanceGroup, one.address, one.state]),
        )
      : await printed(machines, output),
  );
  return 0;
}
