import { seededRandom } from '@kopsctl/gossip/simulation/seeded-random.ts';
import { SimulatedCluster, type SimulatedHost } from '@kopsctl/gossip/simulation/simulated-cluster.ts';

/**
 * Simulates gossip among thousands of peers in virtual time with the real state machine: 5 % of all packets are lost, 1
 * % of the peers are unreachable now and then. Prints a Markdown table. `node --max-old-space-size=16000
 * test/bench/src/gossip-simulated.ts [peers ...]`
 */
const LOSS = 0.05;
const FLAPPING = 0.01;
const SEED = 7;
/** How long a flapping peer is unreachable, and reachable: long enough to be suspected, and to refute. */
const FLAP_MS = { away: 4000, back: 8000 };
const SETTLE_MS = 12_000;
const CHANGES = 3;
const CHANGE_EVERY_MS = 6000;

const sizes = process.argv.slice(2).map(Number);
process.stdout.write(
  '| peers | join known to all ms | record known to all ms | packets per peer and second | false deaths | virtual / real s | MiB |\n|---|---|---|---|---|---|---|\n',
);
for (const peers of sizes.length > 0 ? sizes : [1000, 5000]) process.stdout.write(`${simulate(peers)}\n`);

function simulate(peers: number): string {
  const fromMs = performance.now();
  const random = seededRandom(SEED);
  const dead = new Set<string>();
  const heard = new Map<string, Set<string>>();
  const steady = new Set<string>();
  let missing = 0;
  const cluster = new SimulatedCluster({
    seed: SEED,
    loss: LOSS,
    onEvent(host, event) {
      if (event.kind === 'fail' && steady.has(event.member.name)) dead.add(event.member.name);
      if (event.kind === 'join') hear(host, event.member.name);
      if (event.kind !== 'user') return;
      const about = Buffer.from(event.payload).toString();
      // As with real records, a peer that receives one for the first time rebroadcasts it.
      if (!hear(host, about)) return;
      cluster.at(cluster.nowMs, () => cluster.step(host, { kind: 'say', about, payload: event.payload, isOwn: false }));
    },
  });
  const hear = (host: SimulatedHost, about: string): boolean => {
    const by = heard.get(about);
    if (by === undefined || by.has(host.name)) return false;
    by.add(host.name);
    if (steady.has(host.name)) missing -= 1;
    return true;
  };
  cluster.startAcquainted(peers);
  const hosts = [...cluster.hosts];
  for (const host of hosts) {
    if (random() < FLAPPING) flap(cluster, host, random());
    else steady.add(host.name);
  }
  /** Waits for all peers that do not flap: a flapping one may be unreachable. */
  const untilAllKnow = (): number => {
    const startMs = cluster.nowMs;
    return cluster.runUntil(() => missing === 0, 60_000) ? cluster.nowMs - startMs : Infinity;
  };

  cluster.run(SETTLE_MS);
  const before = { packets: cluster.packets, atMs: cluster.nowMs };
  const [joins, records]: [number[], number[]] = [[], []];
  for (let change = 0; change < CHANGES; change += 1) {
    const nextMs = cluster.nowMs + CHANGE_EVERY_MS;
    const name = `new${change}`;
    heard.set(name, new Set());
    missing = steady.size;
    const seed = pickSteady();
    cluster.join(cluster.start(name), seed);
    joins.push(untilAllKnow());
    steady.add(name);
    const about = `record ${change}: api.internal A 10.0.0.${change}`;
    const author = pickSteady();
    heard.set(about, new Set([author.name]));
    missing = steady.size - 1;
    cluster.step(author, { kind: 'say', about, payload: Buffer.from(about), isOwn: true });
    records.push(untilAllKnow());
    cluster.run(Math.max(0, nextMs - cluster.nowMs));
  }
  const seconds = (cluster.nowMs - before.atMs) / 1000;
  const perPeer = (cluster.packets - before.packets) / peers / seconds;
  const realSeconds = (performance.now() - fromMs) / 1000;
  const worst = (times: readonly number[]): string => Math.max(...times).toFixed(0);
  return `| ${peers} | ${worst(joins)} | ${worst(records)} | ${perPeer.toFixed(1)} | ${dead.size} of ${steady.size} (${((100 * dead.size) / steady.size).toFixed(3)} %) | ${(cluster.nowMs / 1000).toFixed(0)} / ${realSeconds.toFixed(0)} | ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} |`;

  function pickSteady(): SimulatedHost {
    for (;;) {
      const host = hosts[Math.floor(random() * hosts.length)];
      if (host !== undefined && steady.has(host.name)) return host;
    }
  }
}

function flap(cluster: SimulatedCluster, host: SimulatedHost, phase: number): void {
  const change = (): void => {
    host.isReachable = !host.isReachable;
    cluster.at(cluster.nowMs + (host.isReachable ? FLAP_MS.back : FLAP_MS.away), change);
  };
  cluster.at(cluster.nowMs + phase * FLAP_MS.back, change);
}
