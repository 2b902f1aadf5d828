import { readFile } from 'node:fs/promises';
import type { NodeCloud } from '@kopsctl/clouds/node-cloud.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { FACT_NAMES, type Facts } from '@kopsctl/node-plan/facts.ts';

/** What only this machine knows: asked of its cloud, or read from a file. */
export async function readFacts(cloud: string, file: string | undefined, signal: AbortSignal): Promise<Facts> {
  if (file === undefined) return (await openNodeCloud(cloud)).facts(signal);
  const facts = JSON.parse(await readFile(file, 'utf8')) as Partial<Facts>;
  const missing = FACT_NAMES.filter((name) => typeof facts[name] !== 'string');
  if (missing.length === 0) return facts as Facts;
  throw new ActionableError({
    what: `read the facts in ${file}`,
    why: `${missing.join(', ')} missing`,
    next: `give each of ${FACT_NAMES.join(', ')} as a text`,
  });
}

/** Only the code of the one cloud is loaded. */
async function openNodeCloud(cloud: string): Promise<NodeCloud> {
  switch (cloud) {
    case 'local':
      return (await import('@kopsctl/clouds/local/node.ts')).createLocalNodeCloud();
    default:
      throw new ActionableError({
        what: `run in the cloud ${cloud}`,
        why: 'this build knows no such cloud on a node (known: local)',
        next: 'check spec.cloudProvider of the cluster',
      });
  }
}
