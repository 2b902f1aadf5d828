import { mkdir, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { METADATA_ADDRESS } from '../model/network.ts';
import { type AddressPool, macOf } from './address-pool.ts';
import { closePort, PORT_TABLE, portRules } from './port-rules.ts';
import { run } from '../processes/run.ts';

const BRIDGE = 'br0';
/** The routing table of answers of the metadata service. Any number that is not the kernel's. */
const ANSWERS_TABLE = 100;

/**
 * Creates the bridge of the cluster in the network namespace of this process. It has no uplink: machines reach only
 * each other and this process. The folders of `ip` and systemd-nspawn on the host are replaced by our own, so that
 * nothing stays behind.
 */
export async function createClusterNetwork(pool: AddressPool): Promise<void> {
  const what = 'create the cluster network';
  for (const folder of ['/run/netns', '/run/systemd/nspawn']) {
    await mkdir(folder, { recursive: true });
    await run(what, 'mount', ['-t', 'tmpfs', '-o', 'mode=0755', 'tmpfs', folder]);
  }
  await ipBatch(what, [
    'link set lo up',
    // Without a MAC address of its own, a bridge uses the lowest of its ports, which changes when machines come and go:
    // machines with the old one in their ARP cache would lose packets.
    `link add ${BRIDGE} address ${macOf(pool.gateway)} type bridge`,
    `address add ${pool.gateway}/${pool.prefixLength} dev ${BRIDGE}`,
    `address add ${METADATA_ADDRESS}/32 dev ${BRIDGE}`,
    `link set ${BRIDGE} up`,
    // Answers of the metadata service end at the machine: pods with a network of their own never get one.
    `rule add from ${METADATA_ADDRESS} lookup ${ANSWERS_TABLE}`,
    `route add ${pool.range} dev ${BRIDGE} table ${ANSWERS_TABLE} hoplimit 1`,
  ]);
  await nft(what, PORT_TABLE);
  await writeFile('/proc/sys/net/ipv4/ip_forward', '1');
  // Machines ask the gateway for names, where no server is. A resolver gives up at once if each question is refused, but
  // after 10 seconds if refusals are left out, as the kernel does to a machine that gets more than one a second: CoreDNS
  // alone asks as often. A pull of an image from a registry outside would hold up all others of its node for a minute.
  await writeFile('/proc/sys/net/ipv4/icmp_ratemask', '0');
}

/**
 * Creates the network namespace of a machine, with a configured eth0 on the bridge, and returns its file. The bridge
 * has static entries and does not learn addresses, so no machine can receive what the metadata service sends to
 * another; and it drops what a machine sends in the name of another.
 */
export async function connectMachine(pool: AddressPool, name: string, address: string): Promise<string> {
  const what = `connect the machine ${name}`;
  await run(what, 'ip', ['netns', 'add', name]);
  try {
    await connect(what, pool, name, address);
  } catch (error) {
    // Deleting the namespace also deletes the parts of the connection that were created.
    await run(what, 'ip', ['netns', 'delete', name]);
    throw error;
  }
  return `/run/netns/${name}`;
}

async function connect(what: string, pool: AddressPool, name: string, address: string): Promise<void> {
  const port = portOf(address);
  const mac = macOf(address);
  await nft(what, portRules({ port, mac, address }, pool.range));
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
  // With several addresses, such as those of Services under IPVS, the kernel may ask for another machine's MAC address in
  // the name of any of them, which the bridge would drop. 2: always in the name of the address on this interface.
  const announce = 'echo 2 > /proc/sys/net/ipv4/conf/eth0/arp_announce';
  await run(what, 'nsenter', [`--net=/run/netns/${name}`, 'sh', '-c', announce]);
  await portForwards(what, port);
}

/** The kernel enables a port some time after its peer is up; measured: up to a second. */
const FORWARDS_WITHIN_MS = 10_000;

/** Waits until the bridge forwards frames of the port: earlier ones are lost. */
async function portForwards(what: string, port: string): Promise<void> {
  const deadline = Date.now() + FORWARDS_WITHIN_MS;
  while (!/\bstate forwarding\b/.test(await run(what, 'bridge', ['link', 'show', 'dev', port]))) {
    if (Date.now() > deadline) {
      throw new ActionableError({
        what,
        why: `its port ${port} on the bridge is not forwarding after ${FORWARDS_WITHIN_MS / 1000} seconds`,
        next: 'run `kopsctl apply --yes` again',
      });
    }
    await sleep(10);
  }
}

export async function disconnectMachine(name: string, address: string): Promise<void> {
  // Deleting the outer end deletes the pair immediately; deleting the namespace would do so later.
  await run(`disconnect the machine ${name}`, 'ip', ['link', 'delete', portOf(address)]);
  await run(`disconnect the machine ${name}`, 'ip', ['netns', 'delete', name]);
  await nft(`disconnect the machine ${name}`, closePort(portOf(address)));
}

/** Interface names have at most 15 characters, so this one contains the last two numbers of the address. */
function portOf(address: string): string {
  return `m${address.split('.').slice(2).join('.')}`;
}

/** Applies packet rules, all or none of them. */
async function nft(what: string, rules: string): Promise<void> {
  await run(what, 'nft', ['-f', '-'], { input: rules });
}

/** Runs all commands in one process, each without the leading `ip`; the first failure ends it. */
async function ipBatch(what: string, lines: readonly string[], options: readonly string[] = []): Promise<void> {
  await run(what, 'ip', [...options, '-batch', '-'], { input: `${lines.join('\n')}\n` });
}
