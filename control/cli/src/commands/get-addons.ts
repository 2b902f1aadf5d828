import { accessCluster } from '@kopsctl/apply/cluster-access.ts';
import { listRunningAddons, readiness } from '@kopsctl/apply/list-addons.ts';
import { localSettings } from '@kopsctl/apply/local-settings.ts';
import { interruption } from '../interruption.ts';
import { chooseCluster, openStateStore } from '../open.ts';
import { printed } from '../print-objects.ts';
import type { GlobalOptions } from '../program.ts';
import { table } from '../table.ts';

/** Prints the addons of a running cluster. */
export async function getAddons(
  global: GlobalOptions,
  { output }: { readonly output: 'table' | 'yaml' | 'json' },
): Promise<number> {
  const store = await openStateStore(global);
  const cluster = await chooseCluster(global, undefined, store);
  const { api } = await accessCluster(store, cluster, localSettings(process.env, undefined));
  const addons = await listRunningAddons(api, interruption());
  process.stdout.write(
    output === 'table'
      ? table(
          ['NAME', 'STATUS', 'READY', 'OBJECTS', 'MANIFEST', 'FAILURE'],
          addons.map((one) => [
            one.name,
            one.status,
            readiness(one),
            String(one.objects),
            one.manifestHash.slice(0, 12),
            one.failure ?? '',
          ]),
        )
      : await printed(addons, output),
  );
  return 0;
}
