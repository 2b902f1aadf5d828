import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Gossip, GossipOptions } from './gossip.ts';
import { GossipPeer } from './gossip-peer.ts';
import type { Endpoint } from './swim/endpoint.ts';
import { addressBytes, addressText } from './wire/address.ts';

/** memberlist's default port. */
const DEFAULT_PORT = 7946;
/** serf allows names of up to 128 characters. A name must leave room for the rest of a packet. */
const MAX_NAME_LENGTH = 128;

/**
 * Starts a peer. The promise resolves when its sockets are open. From then on the peer joins its seeds, and joins them
 * again each time it has lost all other members.
 */
export async function openGossip(options: GossipOptions): Promise<Gossip> {
  const peer = new GossipPeer(options, checkedEndpoint(options));
  await peer.open();
  return peer;
}

function checkedEndpoint({ name, bindAddress, port = DEFAULT_PORT }: GossipOptions): Endpoint {
  const bytes = addressBytes(bindAddress);
  const isUnspecified = bindAddress === '0.0.0.0' || bindAddress === '::';
  if (bytes === undefined || isUnspecified || name === '' || name.length > MAX_NAME_LENGTH) {
    throw new ActionableError({
      what: `gossip as ${name} from ${bindAddress}`,
      why: `a peer needs a name of up to ${MAX_NAME_LENGTH} characters and one address at which other peers reach it`,
      next: 'give the name and an address of this machine',
    });
  }
  return { address: addressText(bytes), port };
}
