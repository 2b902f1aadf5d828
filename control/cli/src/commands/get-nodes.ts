import { accessCluster } from '@kopsctl/apply/cluster-access.ts';
import { listNodes } from '@kopsctl/apply/list-nodes.ts';
import { localSettings } from '@kopsctl/apply/local-settings.ts';
import { openRunningCluster } from '@kopsctl/apply/running/running-cluster.ts';
import { interruption } from '../interruption.ts';
import { chooseCluster, openStateStore } from '../open.ts';
import { printed } from '../print-objects.ts';
import type { GlobalOptions } from '../program.ts';
import { table } from '../table.ts';

/** Prints every machine with all that is known of it, and below the table what is wrong. */
export async function getNodes(
  global: GlobalOptions,
  { output }: { readonly output: 'table' | 'yaml' | 'json' },
): Promise<number> {
  const store = await openStateStore(global);
  const cluster = await chooseCluster(global, undefined, store);
  const settings = localSettings(process.env, undefined);
  const machines = await (await openRunningCluster(store, cluster, settings)).machines();
  const api = async () => (await accessCluster(store, cluster, settings)).api;
  const { nodes, apiFailure } = await listNodes({ store, cluster, machines, api, signal: interruption() });
  if (output !== 'table') {
    process.stdout.write(await printed(nodes, output));
  } else {
    const header = ['NODE', 'ROLE', 'GROUP', 'ADDRESS', 'STATUS', 'BOOT', 'DISCOVERY', 'VOLUMES', 'ADDONS'];
    const rows = nodes.map((one) => [
      one.node,
      one.role,
      one.instanceGroup,
      one.address,
      one.status,
      one.boot,
      one.discovery || '-',
      one.volumes || '-',
      one.addons || '-',
    ]);
    process.stdout.write(table(header, rows));
    for (const { node, failures } of nodes) {
      for (const failure of failures) process.stdout.write(`${node}: ${failure}\n`);
    }
  }
  if (apiFailure !== undefined) process.stderr.write(`The Kubernetes API could not be asked: ${apiFailure}\n`);
  return 0;
}
