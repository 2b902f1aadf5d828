import { isIP } from 'node:net';
import type { CloudMachine, CloudVolume } from '@kopsctl/node-cloud/node-cloud.ts';
import type { DnsName, GossipRecord } from '@kopsctl/gossip/records/record.ts';
import type { ProtokubeConfig } from '@kopsctl/node-plan/agent-config.ts';
import { type HostRecord, ownFirst } from '../hosts/plan-hosts.ts';
import { tagged } from '../volumes/plan-volumes.ts';

type Names = Pick<ProtokubeConfig, 'address' | 'role' | 'hosts' | 'volumes' | 'memberHosts'>;

/** The names this machine publishes: those of its role, and of the etcd members whose volumes it holds. */
export function ownNames(config: Names, volumes: readonly CloudVolume[]): readonly DnsName[] {
  const names = [
    ...config.hosts.filter(({ role }) => role === config.role).map(({ name }) => name),
    ...config.volumes.flatMap(({ tagKey, memberHost }) =>
      tagged(tagKey, volumes)
        .filter(({ volume }) => volume.attachedTo?.address === config.address)
        .map(({ tag }) => memberHost.replaceAll('<member>', tag.member)),
    ),
  ];
  const type = isIP(config.address) === 6 ? 'AAAA' : 'A';
  return [...new Set(names)].sort().map((name) => ({ name, type, addresses: [config.address] }));
}

/**
 * The records of the names that this machine's configuration asks for. Whatever else a peer sends, only these names
 * and only addresses are written to /etc/hosts.
 */
export function gossipRecords(config: Names, records: readonly GossipRecord[]): readonly HostRecord[] {
  const isWanted = wantedNames(config);
  const byName = new Map<string, Set<string>>();
  for (const { name, addresses, isDeleted } of records) {
    if (isDeleted || !isWanted(name)) continue;
    const known = byName.get(name) ?? new Set();
    for (const address of addresses) if (isIP(address) !== 0) known.add(address);
    byName.set(name, known);
  }
  return [...byName]
    .filter(([, addresses]) => addresses.size > 0)
    .map(([name, addresses]) => ({ name, addresses: [...addresses].sort(ownFirst(config.address)) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function wantedNames({ hosts, volumes, memberHosts = [] }: Names): (name: string) => boolean {
  const names = new Set(hosts.map(({ name }) => name));
  // The name of a member is one lower-case DNS label.
  const members = [...volumes, ...memberHosts].map(({ memberHost }) => {
    const [before = '', after = ''] = memberHost.split('<member>');
    return (name: string) =>
      name.startsWith(before) &&
      name.endsWith(after) &&
      /^[a-z0-9-]+$/.test(name.slice(before.length, name.length - after.length));
  });
  return (name) => names.has(name) || members.some((isMember) => isMember(name));
}

/** The machines to join: control planes first, because every cluster has some. Bastions do not gossip. */
export function seedsAmong(
  machines: readonly CloudMachine[],
  own: string,
  port: number,
): readonly { readonly address: string; readonly port: number }[] {
  const others = machines.filter(({ address, running, role }) => running && role !== 'Bastion' && address !== own);
  const first = (machine: CloudMachine) => (machine.role === 'ControlPlane' ? 0 : 1);
  return others.toSorted((a, b) => first(a) - first(b)).map(({ address }) => ({ address, port }));
}
