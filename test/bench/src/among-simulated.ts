import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openReachableCluster, type ReachableCluster } from '@kopsctl/gossip/simulation/reachable-cluster.ts';
import type { SimulatedHost } from '@kopsctl/gossip/simulation/simulated-cluster.ts';
import { namesAuthority } from './certify-names.ts';
import { serveMetadata } from './metadata-stand-in.ts';
import { kill } from './child-process.ts';
import { asDownloaded, CLUSTER, startProtokube } from './protokube-process.ts';

/** One real protokube, called `real`, among simulated peers. */
export interface AmongSimulated {
  readonly child: ChildProcess;
  readonly cluster: ReachableCluster;
  /** The peer through which the real one joins: the only control plane that the cloud lists. */
  readonly first: SimulatedHost;
  readonly close: () => Promise<void>;
}

/** @param agents the agents' binary */
export async function protokubeAmong(agents: string, peers: number): Promise<AmongSimulated> {
  const folder = await mkdtemp(join(tmpdir(), 'kopsctl-bench-'));
  const binary = await asDownloaded(agents, folder);
  const key = randomBytes(32);
  const cluster = await openReachableCluster({
    peers,
    secrecy: { keys: [key], label: CLUSTER },
    addressOf: (index) => `127.1.${(index >> 8) & 0xff}.${index & 0xff}`,
    onRefused: (from, refusal) => process.stderr.write(`refused from ${from.address}: ${refusal.message}\n`),
  });
  const [first] = cluster.hosts;
  if (first === undefined) throw new Error('at least one simulated peer is needed');
  const { name, address } = first;
  const metadata = await serveMetadata([
    {
      instanceId: name,
      nodeName: name,
      address,
      externalAddresses: [],
      role: 'ControlPlane',
      instanceGroup: 'control-plane',
      running: true,
    },
  ]);
  const authority = await namesAuthority();
  const real = { name: 'real', address: '127.2.0.1', role: 'Node' } as const;
  const { child } = await startProtokube({ binary, folder, ...real, key, authority });
  return {
    child,
    cluster,
    first,
    close: async () => {
      await kill(child);
      await cluster.close();
      metadata.close();
      metadata.closeAllConnections();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
