import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

/** The addresses of the cluster network. The first is the gateway; the first ten are not used for machines. */
export interface AddressPool {
  /** In CIDR notation, with its first address. */
  readonly range: string;
  readonly gateway: string;
  readonly prefixLength: number;
  /**
   * The first free address after `last`, continuing from the lowest. As in a real cloud, a machine that is created
   * again gets another address.
   */
  next(taken: ReadonlySet<string>, last?: string): string;
}

const FIRST_MACHINE = 10;

/** The addresses of machines in a network. @throws Error where the CIDR is none, or is smaller than /27 or larger than /16 */
export function addressPool(cidr: string): AddressPool {
  const match = /^(\d+)\.(\d+)\.(\d+)\.(\d+)\/(\d+)$/.exec(cidr);
  const parts = match?.slice(1).map(Number) ?? [];
  const prefixLength = parts[4] ?? 0;
  if (match === null || parts.slice(0, 4).some((part) => part > 255) || prefixLength < 16 || prefixLength > 27) {
    throw new ActionableError({
      what: 'create the local network',
      why: `${JSON.stringify(cidr)} is not an IPv4 range of /16 to /27`,
      next: 'set spec.networkCIDR to a range that the host does not use, e.g. 172.30.0.0/24',
    });
  }
  const size = 2 ** (32 - prefixLength);
  const written = parts.slice(0, 4).reduce((sum, part) => sum * 256 + part, 0);
  const base = written - (written % size);
  const at = (offset: number): string =>
    [24, 16, 8, 0].map((shift) => Math.floor((base + offset) / 2 ** shift) % 256).join('.');
  return {
    range: `${at(0)}/${prefixLength}`,
    gateway: at(1),
    prefixLength,
    next(taken, last) {
      const all = Array.from({ length: size - 1 - FIRST_MACHINE }, (_, index) => at(FIRST_MACHINE + index));
      const after = last === undefined ? 0 : all.indexOf(last) + 1;
      const free = [...all.slice(after), ...all.slice(0, after)].find((address) => !taken.has(address));
      if (free !== undefined) return free;
      throw new ActionableError({
        what: 'give a machine an address',
        why: `every address of ${cidr} is taken`,
        next: 'set spec.networkCIDR to a larger range and create the cluster again',
      });
    },
  };
}

/** A MAC address that contains the IPv4 address, so that it is unique in the network. */
export function macOf(address: string): string {
  return ['02', '00', ...address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))].join(':');
}
