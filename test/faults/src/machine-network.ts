import { existsSync } from 'node:fs';
import { execa } from 'execa';
import { asRecord } from '@kopsctl/tasks/record.ts';

/** The machines of a test. Each is a network namespace on one bridge with this host, without any other connection. */
export interface MachineNetwork {
  readonly addresses: readonly string[];
  /** The command line to run a program on a machine. */
  command(machine: number, ...program: readonly string[]): readonly [string, ...string[]];
  /** Blocks all packets between the two groups of machines. Clients on this host still reach both. */
  partition(one: readonly number[], other: readonly number[]): Promise<void>;
  /** Ends all partitions. */
  heal(): Promise<void>;
  remove(): Promise<void>;
}

/** Networks of concurrent tests, each with a subnet of its own. RFC 2544 reserves 198.18.0.0/15 for benchmarks of network devices. */
const SUBNETS = 512;

/** Creates a network, whose bridge and namespaces are named after its subnet. */
export async function machineNetwork(machines: number): Promise<MachineNetwork> {
  await removeNetworksOfTheDead();
  const { bridge, subnet } = await claimSubnet();
  const namespace = (machine: number): string => `${bridge}m${machine}`;
  const address = (machine: number): string => `${subnet}.${11 + machine}`;
  const all = Array.from({ length: machines }, (_, machine) => machine);
  const block = async (from: number, to: number): Promise<void> => {
    await ip('-n', namespace(from), 'route', 'replace', 'blackhole', `${address(to)}/32`);
  };
  await ip('address', 'add', `${subnet}.1/24`, 'dev', bridge);
  await ip('link', 'set', bridge, 'up');
  for (const machine of all) {
    const name = namespace(machine);
    await ip('netns', 'add', name);
    await ip('link', 'add', `${bridge}v${machine}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    await ip('link', 'set', `${bridge}v${machine}`, 'master', bridge, 'up');
    await ip('-n', name, 'link', 'set', 'lo', 'up');
    await ip('-n', name, 'address', 'add', `${address(machine)}/24`, 'dev', 'eth0');
    await ip('-n', name, 'link', 'set', 'eth0', 'up');
  }
  return {
    addresses: all.map(address),
    command: (machine, ...program) => ['ip', 'netns', 'exec', namespace(machine), ...program],
    async partition(one, other) {
      for (const left of one) {
        for (const right of other) {
          if (left === right) continue;
          await block(left, right);
          await block(right, left);
        }
      }
    },
    async heal() {
      for (const machine of all) await ip('-n', namespace(machine), 'route', 'flush', 'type', 'blackhole');
    },
    remove: () => removeNetwork(bridge),
  };
}

/**
 * Takes a subnet that nobody uses: a bridge of its name can be made only once. The alias of the bridge says whose it is.
 *
 * Process ids alone do not tell subnets apart: two of them that are the same modulo 512 had one subnet, and the packets to
 * one of the networks went to the other.
 */
async function claimSubnet(): Promise<{ readonly bridge: string; readonly subnet: string }> {
  for (let tries = 0; tries < SUBNETS; tries += 1) {
    const index = (process.pid + tries) % SUBNETS;
    const bridge = `kf${index}`;
    const { exitCode, stderr } = await execa('ip', ['link', 'add', bridge, 'type', 'bridge'], { reject: false });
    if (exitCode !== 0 && !stderr.includes('File exists')) throw new Error(stderr);
    if (exitCode !== 0) continue;
    await ip('link', 'set', bridge, 'alias', String(process.pid));
    await removeMachines(bridge);
    return { bridge, subnet: `198.${18 + Math.floor(index / 256)}.${index % 256}` };
  }
  throw new Error(`all of the ${SUBNETS} subnets for networks of tests are taken: ip link list type bridge`);
}

/** Removes everything named after a bridge, and the bridge itself. */
async function removeNetwork(bridge: string): Promise<void> {
  await removeMachines(bridge);
  await execa('ip', ['link', 'del', bridge], { reject: false });
}

/** Removes the machines of a bridge, including the remains of a run that was killed. */
async function removeMachines(bridge: string): Promise<void> {
  // A namespace only disappears with its last process, so its link is removed first.
  for (const name of await names('link')) {
    if (name.startsWith(`${bridge}v`)) await execa('ip', ['link', 'del', name], { reject: false });
  }
  for (const name of await names('netns')) {
    if (!name.startsWith(`${bridge}m`)) continue;
    const { stdout } = await execa('ip', ['netns', 'pids', name], { reject: false });
    for (const pid of stdout.split('\n').filter((line) => line !== '')) {
      await execa('kill', ['-KILL', pid], { reject: false });
    }
    await execa('ip', ['netns', 'del', name], { reject: false });
  }
}

async function removeNetworksOfTheDead(): Promise<void> {
  for (const { ifname, ifalias: owner } of await listed('link')) {
    const isOurs = /^kf\d+$/.test(String(ifname)) && /^\d+$/.test(String(owner));
    if (isOurs && !existsSync(`/proc/${String(owner)}`)) await removeNetwork(String(ifname));
  }
}

async function names(what: 'link' | 'netns'): Promise<readonly string[]> {
  return (await listed(what)).map(({ ifname, name }) => String(ifname ?? name));
}

async function listed(what: 'link' | 'netns'): Promise<readonly ReturnType<typeof asRecord>[]> {
  const { stdout } = await execa('ip', ['-json', what, 'list']);
  const found: unknown = stdout === '' ? [] : JSON.parse(stdout);
  if (!Array.isArray(found)) throw new Error(`\`ip -json ${what} list\` printed no list`);
  return found.map(asRecord);
}

async function ip(...args: readonly string[]): Promise<void> {
  await execa('ip', args);
}
