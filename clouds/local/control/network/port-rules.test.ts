import { expect, test } from 'vitest';
import { closePort, PORT_TABLE, portRules } from './port-rules.ts';

test('what comes from a port without rules is dropped', () => {
  expect(PORT_TABLE).toBe(`table bridge kopsctl {
  map ports { type ifname : verdict; }
  chain from-ports {
    type filter hook prerouting priority -300; policy drop;
    iifname vmap @ports
  }
}
`);
});

test('a port sends from the addresses of its machine, and ARP about nothing else', () => {
  const machine = { port: 'm0.10', mac: '02:00:ac:1e:00:0a', address: '172.30.0.10' };
  expect(portRules(machine, '172.30.0.0/24')).toBe(`add chain bridge kopsctl m0.10
flush chain bridge kopsctl m0.10
add rule bridge kopsctl m0.10 ether saddr != 02:00:ac:1e:00:0a drop
add rule bridge kopsctl m0.10 ether type arp arp htype 1 arp ptype 0x0800 arp hlen 6 arp plen 4 arp operation { request, reply } arp saddr ether 02:00:ac:1e:00:0a arp saddr ip 172.30.0.10 accept
add rule bridge kopsctl m0.10 ether type != ip drop
add rule bridge kopsctl m0.10 ip saddr 172.30.0.10 accept
add rule bridge kopsctl m0.10 ip saddr 172.30.0.0/24 drop
add rule bridge kopsctl m0.10 ip saddr 0.0.0.0/8 drop
add rule bridge kopsctl m0.10 ip saddr 127.0.0.0/8 drop
add rule bridge kopsctl m0.10 ip saddr 169.254.0.0/16 drop
add rule bridge kopsctl m0.10 ip saddr 224.0.0.0/3 drop
add rule bridge kopsctl m0.10 accept
add element bridge kopsctl ports { "m0.10" : goto m0.10 }
`);
});

test('a port whose machine is gone has no rules', () => {
  expect(closePort('m0.10')).toBe(`delete element bridge kopsctl ports { "m0.10" }
flush chain bridge kopsctl m0.10
`);
});
