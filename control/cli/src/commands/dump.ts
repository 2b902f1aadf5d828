import { dumpCluster } from '@kopsctl/actions/dump-cluster.ts';
import { getMachines } from '@kopsctl/actions/get-machines.ts';
import type { Machine } from '@kopsctl/model/cloud.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../global-options.ts';
import { wordOfRole } from '../machine-role.ts';
import { printedValue } from '../print-objects.ts';
import { writeErr, writeOut } from '../terminal.ts';

export interface DumpOptions {
  readonly dir?: string;
  readonly maxNodes: number;
  readonly output?: 'yaml' | 'json';
}

/** Writes a support bundle without secrets, or prints which machines there are, as kops does, with `-o`. */
export async function dump(
  global: GlobalOptions,
  cluster: string | undefined,
  { dir, maxNodes, output }: DumpOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const context = actionContext(global, env, { tells: 'changes', endsInOrder: true });
  if (output !== undefined) {
    const machines = await getMachines(context, cluster);
    writeOut(await printedValue({ instances: machines.map(instanceOf) }, output));
    if (dir === undefined) return 0;
  }
  const dumped = await dumpCluster(context, { cluster, dir, maxMachines: maxNodes });
  const failed = dumped.files.filter((path) => path.endsWith('.failed.txt'));
  const say = output === undefined ? writeOut : writeErr;
  say(`Wrote ${dumped.files.length} files on ${dumped.cluster} to ${dumped.dir}, without its secrets\n`);
  for (const path of failed) say(`not gathered, as ${dumped.dir}/${path} says\n`);
  return 0;
}

/** Under kops's names (pkg/resources/dumpmodel.go). */
const instanceOf = ({ name, role, address, externalAddress, instanceGroup, state }: Machine) => ({
  name,
  roles: [wordOfRole(role)],
  ...(externalAddress !== undefined && { publicAddresses: [externalAddress] }),
  ...(address !== '' && { privateAddresses: [address] }),
  instanceGroup,
  state,
});
