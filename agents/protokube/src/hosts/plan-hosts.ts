import { isIP } from 'node:net';
import type { CloudMachine, CloudVolume } from '@kopsctl/node-cloud/node-cloud.ts';
import type { ProtokubeConfig } from '@kopsctl/node-plan/agent-config.ts';
import { tagged } from '../volumes/plan-volumes.ts';

export const GUARD_BEGIN = '# Begin host entries managed by protokube - do not edit';
export const GUARD_END = '# End host entries managed by protokube';

/** A name and its addresses, the one to try first in front. */
export interface HostRecord {
  readonly name: string;
  readonly addresses: readonly string[];
  /** Those of the addresses whose machine seems to be away. They are tried last. */
  readonly away?: readonly string[];
}

/** Every record this machine needs. A name without an address gets no record, so that DNS may still resolve it. */
export function hostRecords(
  config: Pick<ProtokubeConfig, 'address' | 'hosts' | 'volumes' | 'memberHosts'>,
  machines: readonly CloudMachine[],
  volumes: readonly CloudVolume[],
): readonly HostRecord[] {
  const roles = config.hosts.map(({ name, role }) => ({
    name,
    addresses: machines.filter((machine) => machine.running && machine.role === role).map(({ address }) => address),
  }));
  const members = [...config.volumes, ...(config.memberHosts ?? [])].flatMap(({ tagKey, memberHost }) =>
    tagged(tagKey, volumes).flatMap(({ volume, tag }) => {
      // A machine that the cloud no longer lists may still hold a volume for a moment.
      if (volume.attachedTo === undefined || volume.attachedTo.address === '') return [];
      return [{ name: memberHost.replaceAll('<member>', tag.member), addresses: [volume.attachedTo.address] }];
    }),
  );
  const byName = new Map<string, Set<string>>();
  for (const { name, addresses } of [...roles, ...members]) {
    const known = byName.get(name) ?? new Set();
    for (const address of addresses) known.add(address);
    byName.set(name, known);
  }
  return [...byName]
    .filter(([, addresses]) => addresses.size > 0)
    .map(([name, addresses]) => ({ name, addresses: [...addresses].sort(ownFirst(config.address)) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * The file's wanted text: everything that others wrote, byte for byte, and one block of ours. Undefined when the file
 * already has it. A block whose end marker was removed ends before the first line that is not ours.
 */
export function planHosts(current: string, records: readonly HostRecord[], ownAddress: string): string | undefined {
  const wanted = withBlock(current, block(records, ownAddress));
  return wanted === current ? undefined : wanted;
}

/** The addresses in our block, in its order. */
export function addressesInBlock(text: string): readonly string[] {
  const lines = text.split('\n');
  const begin = lines.indexOf(GUARD_BEGIN);
  if (begin < 0) return [];
  const end = lines.indexOf(GUARD_END, begin);
  const block = lines.slice(begin + 1, end < 0 ? undefined : end);
  return block.map((line) => line.split('\t')[0] ?? '').filter((address) => isIP(address) !== 0);
}

function withBlock(current: string, lines: readonly string[]): string {
  const kept: string[] = [];
  let position: number | undefined;
  let inside = false;
  for (const line of current.split('\n')) {
    if (line === GUARD_BEGIN) {
      inside = true;
      position ??= kept.length;
    } else if (line === GUARD_END) {
      inside = false;
    } else if (inside && /^[0-9a-f.:]+\t\S/.test(line)) {
      // One of our own lines.
    } else {
      inside = false;
      kept.push(line);
    }
  }
  if (lines.length === 0) return kept.join('\n');
  if (position === undefined) {
    while (kept.at(-1) === '') kept.pop();
    return [...kept, ...lines, ''].join('\n');
  }
  return [...kept.slice(0, position), ...lines, ...kept.slice(position)].join('\n');
}

/** One line per address: the resolver returns the addresses of a name in the order of the lines. */
function block(records: readonly HostRecord[], ownAddress: string): readonly string[] {
  const namesByAddress = new Map<string, string[]>();
  for (const { name, addresses } of records) {
    for (const address of addresses) namesByAddress.set(address, [...(namesByAddress.get(address) ?? []), name]);
  }
  if (namesByAddress.size === 0) return [];
  const away = new Set(records.flatMap((record) => record.away ?? []));
  const addresses = [...namesByAddress.keys()].sort(awayLast(away, ownAddress));
  const lines = addresses.map((address) => `${address}\t${(namesByAddress.get(address) ?? []).sort().join(' ')}`);
  return [GUARD_BEGIN, ...lines, GUARD_END];
}

/** The machine's own address comes first: a control plane uses its own API server while that runs. */
function ownFirst(own: string): (a: string, b: string) => number {
  return (a, b) => {
    if (a === own || b === own) return a === b ? 0 : a === own ? -1 : 1;
    return byNumber(a) < byNumber(b) ? -1 : a === b ? 0 : 1;
  };
}

/** Like ownFirst, with the addresses of machines that are away after all others. */
export function awayLast(away: ReadonlySet<string>, own: string): (a: string, b: string) => number {
  const byAddress = ownFirst(own);
  return (a, b) => Number(away.has(a)) - Number(away.has(b)) || byAddress(a, b);
}

/** Sorts 10.0.0.9 before 10.0.0.10. Intl can do this too, but takes five megabytes of an agent's memory. */
function byNumber(address: string): string {
  return address.replaceAll(/\d+/g, (digits) => digits.padStart(3, '0'));
}
