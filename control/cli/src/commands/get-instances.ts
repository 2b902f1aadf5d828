import { getInstances as get } from '@kopsctl/actions/get-instances.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import type { OutputOptions } from '../flags/output-options.ts';
import { wordOfRole } from '../flags/machine-role.ts';
import { printedValue } from '../output/print-objects.ts';
import { table } from '../output/table.ts';
import { paintTable } from '../output/paint.ts';
import { writeDocument, writePainted } from '../output/terminal.ts';

export interface GetInstancesOptions extends OutputOptions {
  readonly apiServer?: string;
  readonly useKubeconfig?: boolean;
}

const HEADER = [
  'ID',
  'NODE-NAME',
  'STATUS',
  'ROLES',
  'STATE',
  'INTERNAL-IP',
  'EXTERNAL-IP',
  'INSTANCE-GROUP',
  'MACHINE-TYPE',
];

/** Prints the machines that a cluster has in its cloud, in the columns of kops. */
export async function getInstances(
  global: GlobalOptions,
  { output, apiServer, useKubeconfig }: GetInstancesOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const context = actionContext(global, env, { endsInOrder: true });
  const found = await get(context, { choice: { apiServer, usesKubeconfig: useKubeconfig } });
  const instances = found.map((one) => ({ ...one, roles: one.roles.map((role) => wordOfRole(role)) }));
  if (output !== 'table') writeDocument(await printedValue(instances, output));
  else {
    const rows = instances.map((one) => [
      one.id,
      one.nodeName,
      one.status,
      one.roles.join(', '),
      one.state,
      one.internalIP,
      one.externalIP,
      one.instanceGroup,
      one.machineType,
    ]);
    writePainted(table(HEADER, rows), paintTable);
  }
  return 0;
}
