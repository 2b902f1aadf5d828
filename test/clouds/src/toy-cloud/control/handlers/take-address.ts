import { addressAt, parseCidr } from '@kopsctl/spec/cidr.ts';
import type { ToyService } from '../../node/toy-things.ts';

/** The first addresses of a network are for what is not a machine. */
const FIRST = 10;

/** Takes the first free address of a network for a machine. */
export async function takeAddress(toy: ToyService, network: string, machine: string): Promise<string> {
  const range = parseCidr((await toy.networks.read(network))?.cidr ?? '');
  if (range === undefined) throw new Error(`the network ${network} has no range`);
  const taken = new Set(await toy.addresses.names());
  for (let index = FIRST; index < 2 ** (32 - range.bits) - 1; index++) {
    const address = addressAt(range, index);
    if (!taken.has(address) && (await toy.addresses.add({ name: address, machine }))) return address;
  }
  throw new Error(`the network ${network} has no address left`);
}
