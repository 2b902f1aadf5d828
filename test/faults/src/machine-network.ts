import { existsSync } from 'node:fs';
import { execa } from 'execa';

/** Machines of a test, each in a network namespace, on one bridge with this host. Nothing leads anywhere else. */
export interface MachineNetwork {
  readonly addresses: readonly string[];
  /** The command line that runs a program on a machine. */
  command(machine: number, ...program: readonly string[]): readonly [string, ...string[]];
  /** No packet passes between the two groups of machines any more. Clients on this host reach both. */
  partition(one: readonly number[], other: readonly number[]): Promise<void>;
  heal(): Promise<void>;
  remove(): Promise<void>;
}

/** Two tests that run at once have networks of their own: names and addresses are made from the process's id. */
export async function machineNetwork(machines: number): Promise<MachineNetwork> {
  await removeNetworksOfTheDead();
  const bridge = `kf${process.pid}`;
  // RFC 2544: 198.18.0.0/15 is for tests of network devices, so no machine of a real network has these.
  const subnet = `198.${18 + (Math.floor(process.pid / 256) % 2)}.${process.pid % 256}`;
  const namespace = (machine: number): string => `${bridge}m${machine}`;
  const address = (machine: number): string => `${subnet}.${11 + machine}`;
  const all = Array.from({ length: machines }, (_, machine) => machine);
  const block = async (from: number, to: number): Promise<void> => {
    await ip('-n', namespace(from), 'route', 'replace', 'blackhole', `${address(to)}/32`);
  };
  await removeNetwork(bridge);
  await ip('link', 'add', bridge, 'type', 'bridge');
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

/** Everything with a bridge's name, also what a run that was killed halfway has left. */
async function removeNetwork(bridge: string): Promise<void> {
  // A namespace goes once its last process is gone; its cable shall not wait for that.
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
  await execa('ip', ['link', 'del', bridge], { reject: false });
}

async function removeNetworksOfTheDead(): Promise<void> {
  for (const name of await names('link')) {
    const pid = /^kf(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) await removeNetwork(name);
  }
}

async function names(what: 'link' | 'netns'): Promise<readonly string[]> {
  const { stdout } = await execa('ip', ['-json', what, 'list']);
  const found = (stdout === '' ? [] : JSON.parse(stdout)) as readonly { ifname?: string; name?: string }[];
  return found.map(({ ifname, name }) => ifname ?? name ?? '');
}

async function ip(...args: readonly string[]): Promise<void> {
  await execa('ip', args);
}
