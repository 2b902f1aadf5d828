import { execa } from 'execa';
import { expect, test } from 'vitest';
import { machineNetwork } from './machine-network.ts';

/** The device by which this host reaches an address. */
async function deviceTo(address = ''): Promise<string | undefined> {
  return /dev (\S+)/.exec((await execa('ip', ['route', 'get', address])).stdout)?.[1];
}

test('networks at the same time have subnets of their own, and leave nothing behind', { timeout: 60_000 }, async () => {
  const networks = await Promise.all([machineNetwork(2), machineNetwork(2)]);
  const bridges = await Promise.all(networks.map(({ addresses }) => deviceTo(addresses[1])));
  expect(new Set(networks.flatMap(({ addresses }) => addresses)).size).toBe(4);
  expect(new Set(bridges).size).toBe(2);
  for (const network of networks) {
    // Nothing listens there, and its machine answers so.
    const connect = `exec 3<>/dev/tcp/${network.addresses[1]}/9`;
    const [program, ...args] = network.command(0, 'timeout', '5', 'bash', '-c', connect);
    expect((await execa(program, args, { reject: false })).stderr).toContain('Connection refused');
  }
  await Promise.all(networks.map((network) => network.remove()));
  const { stdout } = await execa('ip', ['-brief', 'link', 'list']);
  for (const bridge of bridges) expect(stdout).not.toMatch(new RegExp(`^${bridge}\\b`, 'm'));
});
