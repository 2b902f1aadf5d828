import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { findPeer } from '@kopsctl/test-peers/provide.ts';
import { often } from '@kopsctl/test-suite/long.ts';
import { machineNetwork, type MachineNetwork } from '../../../test/faults/src/machine-network.ts';
import type { PeerCommand, PeerReport } from './simulation/peer-process.ts';

/**
 * Machines of each kind. The kernel's neighbour table has 1,024 entries for all namespaces together, and each machine
 * knows all others.
 */
const EACH = often(10, 15);
const WAIT = { timeout: 120_000, interval: 500 };
const PEER = join(import.meta.dirname, 'simulation/peer-process.ts');
const SERF_VERSIONS = { protocolMin: 1, protocolMax: 5, protocol: 2, delegateMin: 2, delegateMax: 5, delegate: 5 };

// Network namespaces need root.
const peer = process.getuid?.() === 0 ? await findPeer('serf') : undefined;
const serf = peer && join(peer.root, 'usr/bin/serf');

/** One of our peers, with its latest report. */
interface Peer {
  readonly child: ChildProcess;
  members: readonly string[];
  records: readonly string[];
}

describe.skipIf(serf === undefined)(
  `${EACH} serf agents and ${EACH} of our peers, each in its own network namespace`,
  () => {
    const key = randomBytes(32).toString('base64');
    const serfs = new Map<string, { readonly child: ChildProcess; readonly address: string }>();
    const peers = new Map<string, Peer>();
    let network: MachineNetwork | undefined;

    afterEach(async () => {
      await Promise.all([...serfs.values(), ...peers.values()].map(({ child }) => kill(child)));
      await network?.remove();
    });

    async function startSerf(on: MachineNetwork, machine: number, seed: string): Promise<void> {
      const [name, address] = [`serf${machine}`, on.addresses[machine] ?? ''];
      const flags = [`-node=${name}`, `-bind=${address}:7946`, `-rpc-addr=${address}:7373`, `-encrypt=${key}`];
      const [program, ...args] = on.command(
        machine,
        serf ?? '',
        'agent',
        '-profile=lan',
        ...flags,
        `-retry-join=${seed}`,
      );
      serfs.set(name, { child: spawn(program, args, { stdio: 'ignore' }), address });
    }

    async function startPeer(on: MachineNetwork, machine: number, seeds: readonly string[]): Promise<void> {
      const [name, address] = [`ours${machine}`, on.addresses[machine] ?? ''];
      const [program, ...args] = on.command(machine, process.execPath, PEER, name, address, key);
      const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
      const peer: Peer = { child, members: [name], records: [] };
      peers.set(name, peer);
      child.on('message', (report: PeerReport) => {
        if (report.kind === 'members') peer.members = report.members;
        if (report.kind === 'records') peer.records = report.records;
      });
      await once(child, 'message');
      tell(peer, { kind: 'open', seeds, versions: SERF_VERSIONS });
    }

    async function aliveBySerf(address: string): Promise<readonly string[]> {
      const { stdout } = await execa(serf ?? '', [
        'members',
        `-rpc-addr=${address}:7373`,
        '-format=json',
        '-status=alive',
      ]);
      const { members }: { members: readonly { name: string }[] } = JSON.parse(stdout);
      return members.map(({ name }) => name).sort();
    }

    async function allSee(expected: readonly string[], sides: readonly string[] = expected): Promise<void> {
      const wanted = expected.toSorted();
      for (const [, peer] of [...peers].filter(([name]) => sides.includes(name))) {
        expect(peer.members.toSorted()).toEqual(wanted);
      }
      for (const [, { address }] of [...serfs].filter(([name]) => sides.includes(name))) {
        expect(await aliveBySerf(address)).toEqual(wanted);
      }
    }

    it('agree on the members through failures, a partition and its end', { timeout: 400_000 }, async () => {
      const on = await machineNetwork(2 * EACH);
      network = on;
      const machines = Array.from({ length: 2 * EACH }, (_, machine) => machine);
      const seeds = [on.addresses[0] ?? '', on.addresses[EACH] ?? ''];
      for (const machine of machines.slice(0, EACH)) await startSerf(on, machine, seeds[0] ?? '');
      for (const machine of machines.slice(EACH)) await startPeer(on, machine, seeds);
      const names = machines.map((machine) => `${machine < EACH ? 'serf' : 'ours'}${machine}`);
      await vi.waitFor(() => allSee(names), WAIT);

      const [publisher = '', lost = ''] = [2, 4].map((machine) => names[EACH + machine]);
      tellName(publisher, { kind: 'publish', names: [{ name: 'api.internal', type: 'A', addresses: ['10.0.0.1'] }] });
      await vi.waitFor(() => {
        for (const peer of peers.values()) expect(peer.records).toEqual([publisher]);
      }, WAIT);

      const dead = ['serf3', lost];
      await kill(serfs.get('serf3')?.child);
      await kill(peers.get(lost)?.child);
      const living = names.filter((name) => !dead.includes(name));
      await vi.waitFor(() => allSee(living, living), WAIT);

      // Three of each are cut off from all other machines and from all seeds.
      const isCutOff = (machine: number): boolean => machine % EACH >= EACH - 3;
      const [cutOff, rest] = [machines.filter(isCutOff), machines.filter((machine) => !isCutOff(machine))];
      const nameOf = (side: readonly number[]): readonly string[] =>
        side.map((machine) => names[machine] ?? '').filter((name) => living.includes(name));
      await on.partition(cutOff, rest);
      await vi.waitFor(async () => {
        await allSee(nameOf(rest), nameOf(rest));
        await allSee(nameOf(cutOff), nameOf(cutOff));
      }, WAIT);
      await on.heal();
      await vi.waitFor(() => allSee(living, living), WAIT);
    });

    function tellName(name: string, command: PeerCommand): void {
      const peer = peers.get(name);
      if (peer === undefined) throw new Error(`${name} was not started`);
      tell(peer, command);
    }
  },
);

function tell(peer: Peer, command: PeerCommand): void {
  peer.child.send(command);
}

async function kill(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
