import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { ifThere } from '@kopsctl/files/if-there.ts';

/**
 * The name of the network interface with a MAC address, as the metadata service writes it. Bridges and tunnels may have the
 * address of the interface below them; only interfaces of devices count.
 *
 * @throws if there is none, or more than one
 */
export async function interfaceWithAddress(macAddress: string, folder = '/sys/class/net'): Promise<string> {
  const wanted = macAddress.toLowerCase();
  const names: string[] = [];
  for (const name of await readdir(folder)) {
    if ((await ifThere(readdir(join(folder, name, 'device')))) === undefined) continue;
    const address = await ifThere(readFile(join(folder, name, 'address'), 'utf8'));
    if (address?.trim().toLowerCase() === wanted) names.push(name);
  }
  const [name, ...others] = names;
  if (name !== undefined && others.length === 0) return name;
  throw new ActionableError({
    what: 'find the first network interface of this machine',
    why: `${names.length === 0 ? 'no interface has' : `${names.join(' and ')} have`} the address ${macAddress}, which the metadata service reports for it`,
    next: 'compare `ip link` with what the metadata service says under mac',
  });
}
