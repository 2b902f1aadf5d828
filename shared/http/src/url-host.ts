import { isIPv6 } from 'node:net';

/** A name or an address as a URL has it: an IPv6 address is in brackets (RFC 3986, section 3.2.2). */
export const urlHost = (host: string): string => (isIPv6(host) ? `[${host}]` : host);
