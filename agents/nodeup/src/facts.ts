import { readFile } from 'node:fs/promises';
import { type NodeCloudOptions, openNodeCloud } from '@kopsctl/clouds/open-node-cloud.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { type Facts, MACHINE_FACTS } from '@kopsctl/node-plan/facts.ts';

/** What only this machine knows: asked of its cloud, or read from a file. */
export async function readFacts(
  cloud: string,
  file: string | undefined,
  options: NodeCloudOptions,
  signal: AbortSignal,
): Promise<Facts> {
  if (file === undefined) return (await openNodeCloud(cloud, options)).facts(signal);
  const facts = JSON.parse(await readFile(file, 'utf8')) as Partial<Facts>;
  const missing = MACHINE_FACTS.filter((name) => typeof facts[name] !== 'string');
  if (missing.length === 0) return facts as Facts;
  throw new ActionableError({
    what: `read the facts in ${file}`,
    why: `${missing.join(', ')} missing`,
    next: `give each of ${MACHINE_FACTS.join(', ')} as a text`,
  });
}
