import { readFile } from 'node:fs/promises';
import type { Systeminformation } from 'systeminformation';
import { FACT_NAMES, type FactName, type MachineFacts } from './machine-facts.ts';
import { parseMachineFacts } from './parse-machine-facts.ts';

/** The calls of systeminformation that are used here; each takes well below a second where nothing hangs. */
export interface SystemInformation {
  cpu(): Promise<Systeminformation.CpuData>;
  mem(): Promise<Systeminformation.MemData>;
  blockDevices(): Promise<Systeminformation.BlockDevicesData[]>;
  system(): Promise<Systeminformation.SystemData>;
  osInfo(): Promise<Systeminformation.OsData>;
  networkInterfaces(): Promise<Systeminformation.NetworkInterfacesData[] | Systeminformation.NetworkInterfacesData>;
}

/** Far above the fraction of a second that a call takes: a busy machine is slow, and a device that hangs must not hold
 *  back the other facts. */
const ANSWER_WITHIN_MS = 40_000;

/** CONTAINER_INTERFACE of systemd: PID 1 writes the manager's name there. Absent outside containers. */
const CONTAINER_FILE = '/run/systemd/container';

/**
 * Gathers the named facts of this machine, all of them by default. A fact that fails or takes too long is absent.
 * systeminformation runs other programs (lscpu, lsblk, dmidecode, ip), some of them synchronously: a process that must
 * answer requests meanwhile gathers facts in a separate process.
 */
export async function gatherMachineFacts(
  names: readonly FactName[] = FACT_NAMES,
  information?: SystemInformation,
): Promise<MachineFacts> {
  // Loaded only now: it takes 70 ms and 10 MB.
  const source = information ?? (await import('systeminformation')).default;
  const found = await Promise.all(
    names.map(async (name) => [name, await within(ANSWER_WITHIN_MS, READERS[name](source))] as const),
  );
  return parseMachineFacts(Object.fromEntries(found));
}

const READERS: { readonly [name in FactName]: (from: SystemInformation) => Promise<unknown> } = {
  async processors(from) {
    const { manufacturer, brand, cores, physicalCores } = await from.cpu();
    return { model: joined(manufacturer, brand), architecture: process.arch, count: cores, physicalCores };
  },
  async memory(from) {
    const { total, swaptotal } = await from.mem();
    return { totalBytes: total, swapBytes: swaptotal };
  },
  async disks(from) {
    const devices = await from.blockDevices();
    return devices
      .filter(({ type, size }) => type === 'disk' && size > 0)
      .map(({ name, size, physical, model }) => ({ name, bytes: size, kind: physical, model }));
  },
  async virtualization(from) {
    const { virtual, virtualHost = '', manufacturer, model } = await from.system();
    const container = await readFile(CONTAINER_FILE, 'utf8').catch(() => '');
    return { hypervisor: virtual ? virtualHost : '', container, product: joined(manufacturer, model) };
  },
  async operatingSystem(from) {
    const { distro, release, kernel } = await from.osInfo();
    return { name: distro, version: release, kernel };
  },
  async network(from) {
    const interfaces = [await from.networkInterfaces()].flat();
    return interfaces
      .filter(({ internal, ip4, ip6 }) => !internal && (ip4 !== '' || ip6 !== ''))
      .map(({ ifaceName, ip4, ip6, mac, mtu, speed }) => ({
        name: ifaceName,
        addresses: [ip4, ip6].filter((address) => address !== ''),
        mac,
        mtu,
        megabitsPerSecond: speed,
      }));
  },
};

/** Manufacturer and model as one text; many models repeat the manufacturer. */
const joined = (manufacturer: string, model: string): string =>
  model.toLowerCase().startsWith(manufacturer.toLowerCase()) ? model : `${manufacturer} ${model}`;

/** Undefined when the work fails or takes longer. */
async function within<T>(limitMs: number, work: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), limitMs);
  try {
    return await Promise.race([work, late.promise]);
  } catch {
    // A fact only informs; its absence says that it could not be found out.
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
