import { object, type ValueOf } from './field.ts';

export const dnsControllerGossip = object({
  listen: 'string',
  protocol: 'string',
  secondary: object({ listen: 'string', protocol: 'string', secret: 'string', seed: 'string' }),
  secret: 'string',
  seed: 'string',
});

/** Gossip of dns-controller. */
export interface DNSControllerGossipConfig extends ValueOf<typeof dnsControllerGossip> {}

export const gossip = object({
  listen: 'string',
  protocol: 'string',
  secondary: object({ listen: 'string', protocol: 'string', secret: 'string' }),
  secret: 'string',
});

/** Gossip between machines. */
export interface GossipConfig extends ValueOf<typeof gossip> {}
