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
  const what = 'make the cluster network';
  for (const folder of ['/run/netns', '/run/systemd/nspawn']) {
    await mkdir(folder, { recursive: true });
    await run(what, 'mount', ['-t', 'tmpfs', '-o', 'mode=0755', 'tmpfs', folder]);
  }
  await ipBatch(what, [
    'link set lo up',
    `link add ${BRIDGE} type bridge`,
    `address add ${pool.gateway}/${pool.prefixLength} dev ${BRIDGE}`,
    `address add ${METADATA_ADDRESS}/32 dev ${BRIDGE}`,
    `link set ${BRIDGE} up`,
  ]);
  await writeFile('/proc/sys/net/ipv4/ip_forward', '1');
}

/**
 * Gives a machine a network namespace with a configured eth0 on the bridge, and says which file it
 * is. The bridge is told who has which address and learns nothing, so that no machine can receive
 * what the metadata service says to another.
 */
export async function connectMachine(pool: AddressPool, name: string, address: string): Promise<string> {
  const what = `connect the machine ${name}`;
  await run(what, 'ip', ['netns', 'add', name]);
  try {
    await connect(what, pool, name, address);
  } catch (error) {
    // With the namespace goes whatever of the connection was made.
    await run(what, 'ip', ['netns', 'delete', name]);
    throw error;
  }
  return `/run/netns/${name}`;
}

async function connect(what: string, pool: AddressPool, name: string, address: string): Promise<void> {
  const port = portOf(address);
  const mac = macOf(address);
  await ipBatch(what, [
    `link add ${port} type veth peer name eth0 address ${mac} netns ${name}`,
    `link set ${port} master ${BRIDGE} up`,
    `neighbour replace ${address} lladdr ${mac} dev ${BRIDGE} nud permanent`,
  ]);
  await run(what, 'bridge', ['link', 'set', 'dev', port, 'learning', 'off']);
  await run(what, 'bridge', ['fdb', 'replace', mac, 'dev', port, 'master', 'static']);
  await ipBatch(
    what,
    [
      'link set lo up',
      `address add ${address}/${pool.prefixLength} dev eth0`,
      'link set eth0 up',
      `route add default via ${pool.gateway}`,
    ],
    ['-n', name],
  );
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

/** All of them by one process, each as if typed after `ip`; the first that fails ends it. */
async function ipBatch(what: string, lines: readonly string[], options: readonly string[] = []): Promise<void> {
  await run(what, 'ip', [...options, '-batch', '-'], { input: `${lines.join('\n')}\n` });
}
