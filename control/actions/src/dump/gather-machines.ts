import type { Machine } from '@kopsctl/model/cloud.ts';
import { inParallel } from '../store/in-parallel.ts';
import { type Bundle, part } from './gather-bundle.ts';

/** What can be read of a machine without its help, by its name in the cloud. Absent where there is no such thing. */
export interface MachineLogs {
  readonly console?: ((machine: string) => Promise<string>) | undefined;
  readonly journal?: ((machine: string) => Promise<string>) | undefined;
}

/**
 * Adds which machines there are, and what they wrote: for at most this many, control planes first, because what is wrong
 * with them affects all.
 */
export async function gatherMachines(
  bundle: Bundle,
  machines: readonly Machine[],
  logs: MachineLogs,
  maxMachines: number,
): Promise<void> {
  bundle.set('machines/machines.json', `${JSON.stringify(machines, undefined, 2)}\n`);
  const kinds = Object.entries({ console: logs.console, journal: logs.journal });
  if (kinds.every(([, read]) => read === undefined)) return;
  const inOrder = machines.toSorted((a, b) => Number(isNode(a)) - Number(isNode(b)));
  const left = inOrder.slice(maxMachines);
  if (left.length > 0) bundle.set('machines/left-out.txt', left.map(({ name }) => `${name}\n`).join(''));
  await inParallel(inOrder.slice(0, maxMachines), async ({ name }) => {
    for (const [kind, read] of kinds) {
      await part(bundle, `machines/${name}/${kind}`, async () => {
        const text = await read?.(name);
        if (text !== undefined && text !== '') bundle.set(`machines/${name}/${kind}.txt`, text);
      });
    }
  });
}

const isNode = ({ role }: Machine): boolean => role === 'Node';
