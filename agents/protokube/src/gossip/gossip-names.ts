import { isIP } from 'node:net';
import type { CloudMachine, CloudVolume } from '@kopsctl/node-cloud/node-cloud.ts';
import type { DnsName, RecordInForce } from '@kopsctl/gossip/records/record.ts';
import type { GossipRing, ProtokubeConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import { awayLast, type HostRecord } from '../hosts/plan-hosts.ts';
import { tagged } from '../volumes/plan-volumes.ts';

type Names = Pick<ProtokubeConfig, 'address' | 'role' | 'hosts' | 'volumes' | 'memberHosts'>;

/**
 * The names this machine publishes: those of its role, and of the etcd members whose volumes it holds. Workers do
 * not need the latter.
 */
export function ownNames(config: Names, ring: GossipRing['name'], volumes: readonly CloudVolume[]): readonly DnsName[] {
  const members = ring === 'workers' ? [] : config.volumes;
  const names = [
    ...config.hosts.filter(({ role }) => role === config.role).map(({ name }) => name),
    ...members.flatMap(({ tagKey, memberHost }) =>
      tagged(tagKey, volumes)
        .filter(({ volume }) => volume.attachedTo?.address === config.address)
        .map(({ tag }) => memberHost.replaceAll('<member>', tag.member)),
    ),
  ];
  const type = isIP(config.address) === 6 ? 'AAAA' : 'A';
  return [...new Set(names)].sort().map((name) => ({ name, type, addresses: [config.address] }));
}

/**
 * The records of the names that this machine's configuration asks for. Whatever else a peer sends, only these names,
 * signed by a machine of the role that publishes them, and only addresses are written to /etc/hosts. Whether the machine
 * is a member of the gossip decides nothing but the order.
 */
export function gossipRecords(config: Names, records: readonly RecordInForce[]): readonly HostRecord[] {
  const rolesOf = wantedNames(config);
  const byName = new Map<string, { readonly here: Set<string>; readonly away: Set<string> }>();
  for (const { name, addresses, isDeleted, roles = [], isOwnerPresent } of records) {
    if (isDeleted || !rolesOf(name).some((role) => roles.includes(role))) continue;
    const known = byName.get(name) ?? { here: new Set(), away: new Set() };
    for (const address of addresses) if (isIP(address) !== 0) known[isOwnerPresent ? 'here' : 'away'].add(address);
    byName.set(name, known);
  }
  return [...byName]
    .map(([name, { here, away }]) => {
      const lost = new Set([...away].filter((address) => !here.has(address)));
      const addresses = [...here, ...lost].sort(awayLast(lost, config.address));
      return { name, addresses, ...(lost.size > 0 && { away: [...lost].sort() }) };
    })
    .filter(({ addresses }) => addresses.length > 0)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Whether a name counts only with a signature: true for each that this machine asks for. */
export function isReserved(config: Names): (name: string) => boolean {
  const rolesOf = wantedNames(config);
  return (name) => rolesOf(name).length > 0;
}

/** The roles of the machines that may publish a name; none if this machine does not ask for it. */
function wantedNames({ hosts, volumes, memberHosts = [] }: Names): (name: string) => readonly NodeRole[] {
  // The name of a member is one lower-case DNS label.
  const members = [...volumes, ...memberHosts].map(({ memberHost }) => {
    const [before = '', after = ''] = memberHost.split('<member>');
    return (name: string) =>
      name.startsWith(before) &&
      name.endsWith(after) &&
      /^[a-z0-9-]+$/.test(name.slice(before.length, name.length - after.length));
  });
  return (wanted) => {
    const roles = hosts.filter(({ name }) => name === wanted).map(({ role }) => role);
    return roles.length === 0 && members.some((isMember) => isMember(wanted)) ? ['ControlPlane'] : roles;
  };
}

/** Bastions do not gossip. */
const ROLES_OF_RING: Readonly<Record<GossipRing['name'], readonly NodeRole[]>> = {
  'control-plane': ['ControlPlane', 'APIServer'],
  workers: ['ControlPlane', 'APIServer', 'Node'],
};

/** The machines to join: control planes first, because every cluster has some. */
export function seedsAmong(
  machines: readonly CloudMachine[],
  own: string,
  ring: Pick<GossipRing, 'name' | 'port'>,
): readonly { readonly address: string; readonly port: number }[] {
  const roles = ROLES_OF_RING[ring.name];
  const others = machines.filter(({ address, running, role }) => running && roles.includes(role) && address !== own);
  const first = (machine: CloudMachine) => (machine.role === 'ControlPlane' ? 0 : 1);
  return others.toSorted((a, b) => first(a) - first(b)).map(({ address }) => ({ address, port: ring.port }));
}
