/**
 * The packet rules of the bridge's ports, in the language of nft. They enforce what a real cloud's network enforces: a
 * machine speaks only for itself, so it cannot take the place of the gateway, the metadata service or another machine.
 */

const TABLE = 'bridge kopsctl';

/** The table, with no port in it yet. Rules are looked up by the name of the port, however many machines there are. */
export const PORT_TABLE = `table ${TABLE} {
  map ports { type ifname : verdict; }
  chain from-ports {
    type filter hook prerouting priority -300; policy drop;
    iifname vmap @ports
  }
}
`;

/** No machine has such an address: this network, loopback, link-local with the metadata service, multicast and reserved. */
const NEVER_A_SOURCE = ['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/3'];

interface Connected {
  readonly port: string;
  readonly mac: string;
  readonly address: string;
}

/**
 * The rules of a machine's port. Its MAC address is its own, ARP announces only its own address, and nothing but ARP and
 * IPv4 passes: clusters here have no IPv6.
 *
 * Sources of IPv4 packets are the machine's own address, or any that is not of the machines' network. The latter are those
 * of its pods. Which these are is decided inside the cluster (Calico and Cilium hand out ranges of their own, and users add
 * more), so a machine can be kept from posing as another machine here, but not as another's pod.
 *
 * @param range the network of the machines
 */
export function portRules({ port, mac, address }: Connected, range: string): string {
  const arp = [
    // Ethernet and IPv4, so that the addresses are where the next terms look for them.
    'ether type arp arp htype 1 arp ptype 0x0800 arp hlen 6 arp plen 4 arp operation { request, reply }',
    `arp saddr ether ${mac} arp saddr ip ${address}`,
  ];
  const rules = [
    `ether saddr != ${mac} drop`,
    `${arp.join(' ')} accept`,
    'ether type != ip drop',
    `ip saddr ${address} accept`,
    ...[range, ...NEVER_A_SOURCE].map((source) => `ip saddr ${source} drop`),
    'accept',
  ];
  return lines(
    `add chain ${TABLE} ${port}`,
    // An earlier machine may have had this port.
    `flush chain ${TABLE} ${port}`,
    ...rules.map((rule) => `add rule ${TABLE} ${port} ${rule}`),
    `add element ${TABLE} ports { "${port}" : goto ${port} }`,
  );
}

/**
 * Removes the rules of a port. Its empty chain stays until the network ends: some kernels count the element as a user of
 * the chain for a while after it was deleted, and refuse to delete the chain.
 */
export function closePort(port: string): string {
  return lines(`delete element ${TABLE} ports { "${port}" }`, `flush chain ${TABLE} ${port}`);
}

const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;
