import { getNodes as get } from '@kopsctl/actions/get-nodes.ts';
import type { NodeOverview } from '@kopsctl/actions/follow/list-nodes.ts';
import { actionContext } from '../context.ts';
import type { GlobalOptions } from '../flags/global-options.ts';
import type { OutputFormat } from '../flags/output-options.ts';
import { printed } from '../output/print-objects.ts';
import { table } from '../output/table.ts';
import { paintTable } from '../output/paint.ts';
import { writeDocument, writeErr, writeOut, writePainted } from '../output/terminal.ts';

export interface GetNodesOptions {
  readonly output: OutputFormat | 'wide';
}

const HEADER = [
  'NODE',
  'ROLE',
  'GROUP',
  'ADDRESS',
  'STATUS',
  'BOOT',
  'PLAN',
  'DRIFT',
  'DISCOVERY',
  'VOLUMES',
  'ADDONS',
];
/** What is known of the machine itself, by the head of its column. */
const MACHINE = {
  CPU: 'processors',
  MEMORY: 'memory',
  DISKS: 'disks',
  OS: 'operatingSystem',
  KERNEL: 'kernel',
  VIRTUALIZATION: 'virtualization',
  NETWORK: 'network',
} as const satisfies Readonly<Record<string, keyof NodeOverview['machine']>>;
const WIDE = ['RUNS', ...Object.keys(MACHINE)];

/** Enough to tell plans apart. */
const SHORT_HASH = 12;

/** Prints every machine with all that is known of it, and below the table what is wrong. */
export async function getNodes(
  global: GlobalOptions,
  { output }: GetNodesOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { nodes, apiFailure } = await get(actionContext(global, env, { endsInOrder: true }));
  if (output !== 'table' && output !== 'wide') writeDocument(await printed(nodes, output));
  else {
    const isWide = output === 'wide';
    const rows = nodes.map((one) => [
      one.node,
      one.role,
      one.instanceGroup,
      one.address,
      one.status,
      one.boot,
      one.plan || '-',
      one.drift || '-',
      one.discovery || '-',
      one.volumes || '-',
      one.addons || '-',
      ...(isWide
        ? [one.runs?.slice(0, SHORT_HASH) ?? '-', ...Object.values(MACHINE).map((part) => one.machine[part])]
        : []),
    ]);
    writePainted(table(isWide ? [...HEADER, ...WIDE] : HEADER, rows), paintTable);
    for (const { node, failures } of nodes) {
      for (const failure of failures) writeOut(`${node}: ${failure}\n`);
    }
  }
  if (apiFailure !== undefined) writeErr(`The Kubernetes API could not be asked: ${apiFailure}\n`);
  return 0;
}
