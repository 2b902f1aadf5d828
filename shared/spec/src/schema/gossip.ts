import { object } from './field.ts';

/** Gossip of dns-controller. */
export const dnsControllerGossip = object({
  listen: 'string',
  protocol: 'string',
  secondary: object({ listen: 'string', protocol: 'string', secret: 'string', seed: 'string' }),
  secret: 'string',
  seed: 'string',
});

/** Gossip between machines. */
export const gossip = object({
  listen: 'string',
  protocol: 'string',
  secondary: object({ listen: 'string', protocol: 'string', secret: 'string' }),
  secret: 'string',
});
