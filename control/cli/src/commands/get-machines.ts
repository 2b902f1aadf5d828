import { localSettings } from '@kopsctl/apply/local-settings.ts';
import { openRunningCluster } from '@kopsctl/apply/running/running-cluster.ts';
import { chooseCluster, openStateStore } from '../open.ts';
import { printed } from '../print-objects.ts';
import type { GlobalOptions } from '../program.ts';
import { table } from '../table.ts';

/** Prints the machines that a cluster has in its cloud. */
export async function getMachines(
  global: GlobalOptions,
  { output }: { readonly output: 'table' | 'yaml' | 'json' },
): Promise<number> {
  const store = await openStateStore(global);
  const cluster = await chooseCluster(global, undefined, store);
  const running = await openRunningCluster(store, cluster, localSettings(process.env, undefined));
  const machines = await running.machines();
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
