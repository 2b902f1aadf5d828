import { asRecord, isRecord } from '@kopsctl/tasks/record.ts';
import type { Disk, MachineFacts, NetworkInterface } from './machine-facts.ts';

/** Firmware and drivers decide these texts: none may be longer, or steer a terminal. */
const MAX_CHARACTERS = 100;
/** A boot report must stay small, and a host of many containers has hundreds of both. */
const MAX_DISKS = 32;
const MAX_INTERFACES = 16;
const MAX_ADDRESSES = 8;

type Fields = Readonly<Record<string, unknown>>;

/** Reads facts that another program or machine has written. Whatever does not fit is left out or cut; never throws. */
export function parseMachineFacts(value: unknown): MachineFacts {
  const { processors, memory, disks, virtualization, operatingSystem, network } = asRecord(value);
  return {
    ...part('processors', processors, (one) => ({
      model: text(one['model']),
      architecture: text(one['architecture']),
      count: number(one['count']),
      physicalCores: number(one['physicalCores']),
    })),
    ...part('memory', memory, (one) => ({
      totalBytes: number(one['totalBytes']),
      swapBytes: number(one['swapBytes']),
    })),
    ...(Array.isArray(disks) && { disks: disks.slice(0, MAX_DISKS).map(parseDisk) }),
    ...part('virtualization', virtualization, (one) => ({
      hypervisor: text(one['hypervisor']),
      container: text(one['container']),
      product: text(one['product']),
    })),
    ...part('operatingSystem', operatingSystem, (one) => ({
      name: text(one['name']),
      version: text(one['version']),
      kernel: text(one['kernel']),
    })),
    ...(Array.isArray(network) && { network: network.slice(0, MAX_INTERFACES).map(parseInterface) }),
  };
}

function parseDisk(value: unknown): Disk {
  const { name, bytes, kind, model } = asRecord(value);
  return {
    name: text(name),
    bytes: number(bytes),
    kind: kind === 'SSD' || kind === 'HDD' ? kind : '',
    model: text(model),
  };
}

function parseInterface(value: unknown): NetworkInterface {
  const { name, addresses, mac, mtu, megabitsPerSecond } = asRecord(value);
  const speed = number(megabitsPerSecond);
  return {
    name: text(name),
    addresses: Array.isArray(addresses) ? addresses.slice(0, MAX_ADDRESSES).map(text) : [],
    mac: text(mac),
    mtu: number(mtu),
    ...(speed > 0 && { megabitsPerSecond: speed }),
  };
}

function part<Name extends string, T>(
  name: Name,
  value: unknown,
  read: (fields: Fields) => T,
): { readonly [key in Name]?: T } {
  if (!isRecord(value)) return {};
  // TypeScript widens a computed key to string.
  return { [name]: read(value) } as { readonly [key in Name]: T };
}

function text(value: unknown): string {
  if (typeof value !== 'string') return '';
  const shown = value.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ').trim();
  return shown.slice(0, MAX_CHARACTERS);
}

/** Zero for a value that is not a count. */
function number(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
