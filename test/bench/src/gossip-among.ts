import { setTimeout as pause } from 'node:timers/promises';
import type { ReachableCluster } from '@kopsctl/gossip/simulation/reachable-cluster.ts';
import { buildBinaries } from '../../../packaging/binary/src/build.ts';
import { protokubeAmong } from './among-simulated.ts';
import { inOwnNamespaces } from './own-namespaces.ts';
import { processorSeconds, residentMiB } from './child-process.ts';
import { OTHER_NAME } from './protokube-process.ts';

/**
 * Runs one real protokube, the agents' binary as on machines, among a thousand simulated peers and measures its
 * processor time and memory at rest and while one of a hundred peers flaps. Prints a Markdown table. Needs root. `node
 * test/bench/src/gossip-among.ts [peers ...]`
 */
const SETTLE_MS = 20_000;
const MEASURE_MS = 60_000;
const FLAPPING = 0.01;
/** How long a flapping peer is unreachable, and reachable: long enough to be suspected, and to refute. */
const FLAP_MS = { away: 4000, back: 8000 };

await inOwnNamespaces(async () => {
  const { agents } = await buildBinaries({ log: (line) => process.stderr.write(`${line}\n`) });
  process.stdout.write(
    '| peers | at rest: % of a core | MiB | peers late by ms | with 1 % flapping: % of a core | MiB | peers late by ms |\n|---|---|---|---|---|---|---|\n',
  );
  const sizes = process.argv.slice(2).map(Number);
  for (const peers of sizes.length > 0 ? sizes : [1000]) process.stdout.write(`${await among(agents, peers)}\n`);
});

async function among(agents: string, peers: number): Promise<string> {
  const { child, cluster, first, close } = await protokubeAmong(agents, peers);
  cluster.publish(first, [{ name: OTHER_NAME, type: 'A', addresses: [first.address] }]);
  const measure = async (): Promise<string> => {
    cluster.takeWorstLagMs();
    const before = await processorSeconds(child);
    await pause(MEASURE_MS);
    const percent = (((await processorSeconds(child)) - before) * 100_000) / MEASURE_MS;
    return `${percent.toFixed(2)} | ${(await residentMiB(child)).toFixed(1)} | ${cluster.takeWorstLagMs().toFixed(0)}`;
  };
  try {
    await pause(SETTLE_MS);
    expectMember(cluster);
    const atRest = await measure();
    const stop = flap(cluster, Math.ceil(peers * FLAPPING));
    await pause(SETTLE_MS);
    const flapping = await measure();
    stop();
    expectMember(cluster);
    return `| ${peers} | ${atRest} | ${flapping} |`;
  } finally {
    await close();
  }
}

/** The figures must be those of a member that all others know, not of an agent that never joined. */
function expectMember({ hosts }: ReachableCluster): void {
  const knowing = hosts.filter(({ swim }) => swim.member('real')?.state === 'alive').length;
  if (knowing < hosts.length * (1 - 2 * FLAPPING)) throw new Error(`${knowing} of ${hosts.length} know the real agent`);
}

function flap({ hosts }: ReachableCluster, count: number): () => void {
  const timers = new Set<NodeJS.Timeout>();
  for (const [index, host] of hosts.slice(1, 1 + count).entries()) {
    const change = (): void => {
      host.isReachable = !host.isReachable;
      timers.add(setTimeout(change, host.isReachable ? FLAP_MS.back : FLAP_MS.away));
    };
    timers.add(setTimeout(change, (index * FLAP_MS.back) / count));
  }
  return () => {
    for (const timer of timers) clearTimeout(timer);
    for (const host of hosts) host.isReachable = true;
  };
}
