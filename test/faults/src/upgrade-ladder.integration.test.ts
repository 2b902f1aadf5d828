import { afterEach, describe, expect, test } from 'vitest';
import { brokenPromises } from './broken-promises.ts';
import { openClients } from './clients.ts';
import { FaultCluster } from './fault-cluster.ts';
import { findClusterEtcds, findClusterLadder } from './requirements.ts';
import { Traffic } from './traffic.ts';
import { LONG_MS, SOON_MS } from './waits.ts';

const etcds = await findClusterEtcds();
const ladder = await findClusterLadder();
/** Enough that a count tells of a loss, and few enough to be written in a second. */
const KEYS = 200;

let cluster: FaultCluster | undefined;
afterEach(async () => {
  await cluster?.remove();
  cluster = undefined;
});

describe.skipIf(ladder === undefined)('etcd', { timeout: 1_800_000 }, () => {
  if (ladder === undefined) return;
  const [first, ...others] = ladder;

  test('members are upgraded from 3.3 to 3.7, one minor version at a time, with a backup before each and nothing lost', async () => {
    const upgraded = await FaultCluster.start({ machines: 3, etcds: ladder });
    cluster = upgraded;
    await upgraded.isWhole(SOON_MS);
    const [client] = await openClients(upgraded.endpoints);
    if (client === undefined) throw new Error('there is a client');
    for (let key = 0; key < KEYS; key += 1) await client.put(`kept/${key}`).value(`${key}`);
    const traffic = await Traffic.flowing(upgraded.endpoints, SOON_MS);
    let from: string = first.version;
    for (const { version } of others) {
      const before = await upgraded.backups();
      const lines = upgraded.lines.length;
      await upgraded.want([0, 1, 2], version);
      await upgraded.runs(version, 2 * LONG_MS);
      await upgraded.isWhole(LONG_MS);
      await traffic.acknowledges(30, SOON_MS);
      const kept = await client.getAll().prefix('kept/').strings();
      expect(kept).toEqual(Object.fromEntries(Array.from({ length: KEYS }, (_, key) => [`kept/${key}`, `${key}`])));
      // One for each member: it was taken before that member went on.
      const since = await upgraded.backups();
      expect(since.length - before.length).toBeGreaterThanOrEqual(3);
      for (const machine of upgraded.machines) {
        const name = upgraded.member(machine);
        await upgraded.says(`${name} goes from ${from} to ${version}`, SOON_MS, lines);
      }
      from = version;
    }
    client.close();
    // There is no way back in place: the managers say so, and what runs goes on.
    await upgraded.want([0, 1, 2], first.version);
    await upgraded.says('etcd cannot be downgraded in place', SOON_MS);
    expect(await brokenPromises(traffic, upgraded, SOON_MS)).toEqual([]);
    // What came through all of them can be restored.
    const backup = await upgraded.backup();
    expect(await upgraded.command({ action: 'verify', backup }, LONG_MS)).toMatchObject({ result: 'done' });
  });

  test('an early 3.5 goes by way of 3.5.26 or newer before it goes to 3.6', async () => {
    const early = etcds?.['3.5'];
    const [current, next] = others.slice(1);
    if (early === undefined || current === undefined || next === undefined)
      throw new Error('unreachable: all are there');
    const upgraded = await FaultCluster.start({ machines: 3, etcds: [early, current, next] });
    cluster = upgraded;
    await upgraded.isWhole(SOON_MS);
    const traffic = await Traffic.flowing(upgraded.endpoints, SOON_MS);
    const from = upgraded.lines.length;
    await upgraded.want([0, 1, 2], next.version);
    await upgraded.runs(next.version, 2 * LONG_MS);
    await upgraded.isWhole(LONG_MS);
    const allowed = upgraded.lines.slice(from).filter((line) => line.includes(' goes from '));
    expect(allowed.some((line) => line.includes(`from ${early.version} to ${next.version}`))).toBe(false);
    expect(await brokenPromises(traffic, upgraded, SOON_MS)).toEqual([]);
  });
});
