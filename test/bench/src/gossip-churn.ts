import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '@kopsctl/gossip/simulation/seeded-random.ts';
import type { SimulatedHost } from '@kopsctl/gossip/simulation/simulated-cluster.ts';
import { buildBinaries } from '../../../packaging/binary/src/build.ts';
import { protokubeAmong } from './among-simulated.ts';
import { median } from './median.ts';
import { inOwnNamespaces } from './own-namespaces.ts';
import { processorSeconds, residentMiB } from './child-process.ts';
import { OTHER_NAME } from './protokube-process.ts';

/**
 * Runs one real protokube, the agents' binary as on machines, for a given time among simulated peers, one of which
 * joins, leaves, dies or changes its names every other second, to see whether its memory stays constant. Prints a
 * Markdown table with a row for each tenth of the time. Needs root. `node test/bench/src/gossip-churn.ts [minutes]
 * [peers]`
 */
const [minutes = 10, peers = 50] = process.argv.slice(2).map(Number);
const CHANGE_MS = 2000;
const SAMPLE_MS = 5000;
/** By then a leave message has reached all members. */
const LEAVE_MS = 3000;
const ROWS = 10;
const random = seededRandom(11);

await inOwnNamespaces(async () => {
  const { agents } = await buildBinaries({ log: (line) => process.stderr.write(`${line}\n`) });
  const { child, cluster, first, close } = await protokubeAmong(agents, peers);
  let living: readonly SimulatedHost[] = cluster.hosts.slice(1);
  let changes = 0;

  /** Keeps the number of peers about constant: the more are missing, the likelier a new one joins. */
  const change = async (): Promise<void> => {
    changes += 1;
    const one = living[Math.floor(random() * living.length)];
    const what = random();
    if (one === undefined || what < 0.25 || living.length < peers / 2) {
      const added = await cluster.add(`c${changes}`, first);
      living = [...living, added];
    } else if (what < 0.5 && living.length >= peers) {
      living = living.filter((host) => host !== one);
      if (random() < 0.5) {
        cluster.leave(one);
        await pause(LEAVE_MS);
      }
      await cluster.stop(one);
    } else {
      cluster.publish(one, [{ name: OTHER_NAME, type: 'A', addresses: [`10.0.${changes >> 8}.${changes & 0xff}`] }]);
    }
  };

  try {
    process.stdout.write(
      '| minutes | changes so far | resident MiB: median, most | % of a core |\n|---|---|---|---|\n',
    );
    const changing = setInterval(() => void change(), CHANGE_MS);
    for (let row = 1; row <= ROWS; row += 1) {
      const endMs = performance.now() + (minutes * 60_000) / ROWS;
      const [fromMs, fromSeconds] = [performance.now(), await processorSeconds(child)];
      const samples: number[] = [];
      while (performance.now() < endMs) {
        await pause(SAMPLE_MS);
        samples.push(await residentMiB(child));
      }
      const percent = (((await processorSeconds(child)) - fromSeconds) * 100_000) / (performance.now() - fromMs);
      const memory = `${median(samples).toFixed(1)}, ${Math.max(...samples).toFixed(1)}`;
      const minute = ((minutes * row) / ROWS).toFixed(1);
      process.stdout.write(`| ${minute} | ${changes} | ${memory} | ${percent.toFixed(2)} |\n`);
    }
    clearInterval(changing);
    const knowing = living.filter(({ swim }) => swim.member('real')?.state === 'alive').length;
    process.stdout.write(`\n${knowing} of ${living.length} peers know the agent at the end.\n`);
  } finally {
    await close();
  }
  process.exit();
});
