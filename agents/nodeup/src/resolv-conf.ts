import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ifThere } from '@kopsctl/files/if-there.ts';

const RESOLV_CONF = '/etc/resolv.conf';
/** systemd-resolved keeps the servers that it asks itself here (systemd-resolved.service(8)). */
const ASKED_BY_RESOLVED = '/run/systemd/resolve/resolv.conf';

/** The fact `resolvConf` of this machine. */
export async function readResolvConf(root: string): Promise<string> {
  const [own, asked] = await Promise.all([
    ifThere(readFile(join(root, RESOLV_CONF), 'utf8')),
    ifThere(readFile(join(root, ASKED_BY_RESOLVED), 'utf8')),
  ]);
  return chooseResolvConf(own, asked);
}

/**
 * Pods cannot reach a server on a loopback address: CoreDNS would send each request to itself and exit (the plugin
 * `loop`). systemd-resolved, which is such a server, names the servers behind it.
 */
export function chooseResolvConf(own: string | undefined, asked: string | undefined): string {
  const servers = nameServers(own);
  return nameServers(asked).length > 0 && servers.every(isLoopback) ? ASKED_BY_RESOLVED : RESOLV_CONF;
}

const nameServers = (text = ''): readonly string[] =>
  [...text.matchAll(/^nameserver\s+(\S+)/gm)].map(([, server = '']) => server);

const isLoopback = (server: string): boolean => server.startsWith('127.') || server === '::1';
