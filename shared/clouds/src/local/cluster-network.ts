import { mkdir, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
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
    // A bridge without an address of its own takes its ports' lowest, which changes as machines come and go:
    // those that remembered the old one would send into the void until they ask again.
    `link add ${BRIDGE} address ${macOf(pool.gateway)} type bridge`,
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
  await portForwards(what, port);
}

/** The kernel takes a port into service some time after its other end came up; measured: up to a second. */
const FORWARDS_WITHIN_MS = 10_000;

/** Waits until the bridge takes frames of a port: what a machine sent before would be lost. */
async function portForwards(what: string, port: string): Promise<void> {
  const deadline = Date.now() + FORWARDS_WITHIN_MS;
  while (!/\bstate forwarding\b/.test(await run(what, 'bridge', ['link', 'show', 'dev', port]))) {
    if (Date.now() > deadline) {
      throw new ActionableError({
        what,
        why: `its port ${port} on the bridge is not forwarding after ${FORWARDS_WITHIN_MS / 1000} seconds`,
        next: 'run `kopsctl apply` again',
      });
    }
    await sleep(10);
  }
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
