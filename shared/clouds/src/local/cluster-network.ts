import { mkdir, writeFile } from 'node:fs/promises';
import { type AddressPool, macOf } from './address-pool.ts';
import { run } from './run.ts';

/** Where machines find the metadata service, as on the large clouds. */
export const METADATA_ADDRESS = '169.254.169.254';
const BRIDGE = 'br0';

/**
 * Makes the bridge of the cluster in this process's own network namespace. It has no uplink:
 * machines reach each other and this process, nothing else. Folders that `ip` and
 * systemd-nspawn keep on the host are replaced by our own, so that nothing stays behind.
 */
export async function createClusterNetwork(pool: AddressPool): Promise<void> {
  for (const folder of ['/run/netns', '/run/systemd/nspawn']) {
    await mkdir(folder, { recursive: true });
    await run('make the cluster network', 'mount', ['-t', 'tmpfs', '-o', 'mode=0755', 'tmpfs', folder]);
  }
  const ip = (...args: string[]): Promise<string> => run('make the cluster network', 'ip', args);
  await ip('link', 'set', 'lo', 'up');
  await ip('link', 'add', BRIDGE, 'type', 'bridge');
  await ip('address', 'add', `${pool.gateway}/${pool.prefixLength}`, 'dev', BRIDGE);
  await ip('address', 'add', `${METADATA_ADDRESS}/32`, 'dev', BRIDGE);
  await ip('link', 'set', BRIDGE, 'up');
  await writeFile('/proc/sys/net/ipv4/ip_forward', '1');
}

export interface MachineNetwork {
  /** The network namespace's file. */
  readonly path: string;
}

/**
 * Gives a machine a network namespace with a configured eth0 on the bridge. The bridge is told
 * who has which address and learns nothing, so that no machine can receive what the metadata
 * service says to another.
 */
export async function connectMachine(pool: AddressPool, name: string, address: string): Promise<MachineNetwork> {
  const ip = (...args: string[]): Promise<string> => run(`connect the machine ${name}`, 'ip', args);
  const port = portOf(address);
  const mac = macOf(address);
  await ip('netns', 'add', name);
  await ip('link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'address', mac, 'netns', name);
  await ip('link', 'set', port, 'master', BRIDGE, 'up');
  await run(`connect the machine ${name}`, 'bridge', ['link', 'set', 'dev', port, 'learning', 'off']);
  await run(`connect the machine ${name}`, 'bridge', ['fdb', 'replace', mac, 'dev', port, 'master', 'static']);
  await ip('neighbour', 'replace', address, 'lladdr', mac, 'dev', BRIDGE, 'nud', 'permanent');
  await ip('-n', name, 'link', 'set', 'lo', 'up');
  await ip('-n', name, 'address', 'add', `${address}/${pool.prefixLength}`, 'dev', 'eth0');
  await ip('-n', name, 'link', 'set', 'eth0', 'up');
  await ip('-n', name, 'route', 'add', 'default', 'via', pool.gateway);
  return { path: `/run/netns/${name}` };
}

export async function disconnectMachine(name: string, address: string): Promise<void> {
  // The pair goes at once with its outer end; the namespace would take it along only after a while.
  await run(`disconnect the machine ${name}`, 'ip', ['link', 'delete', portOf(address)]);
  await run(`disconnect the machine ${name}`, 'ip', ['netns', 'delete', name]);
}

/** Interface names have at most 15 characters: an address's last two numbers say which machine it is. */
function portOf(address: string): string {
  return `m${address.split('.').slice(2).join('.')}`;
}
