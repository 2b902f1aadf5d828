import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLog } from '@kopsctl/agent/log.ts';
import type { CloudVolume } from '@kopsctl/node-cloud/node-cloud.ts';
import { Latest } from '@kopsctl/node-cloud/latest.ts';
import { LoopCloud } from '@kopsctl/protokube/testdata/loop-cloud.ts';
import { formatRecord } from '@kopsctl/protokube/volumes/format-record.ts';
import { Mutex } from '@kopsctl/agent/mutex.ts';
import { reconcileVolume } from '@kopsctl/protokube/volumes/reconcile-volumes.ts';
import { execa } from 'execa';

/**
 * Measures the time from the appearance of a volume's device until it is checked, labelled and mounted; the first
 * volume is formatted too.
 */
const ROUNDS = 10;

const spread = (ms: readonly number[]): string => {
  const sorted = ms.toSorted((a, b) => a - b);
  return [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)].map((one) => (one ?? 0).toFixed(0)).join(' / ') + ' ms';
};

const folder = await mkdtemp(join(tmpdir(), 'volume-mount-'));
const cloud = new LoopCloud();
await cloud.add(folder, 'a');
const wanted = { etcdCluster: 'main', tagKey: 'k8s.io/etcd/main', mountPoint: join(folder, 'mnt'), memberHost: '' };
const times: number[] = [];
try {
  for (let round = 0; round <= ROUNDS; round += 1) {
    const volumes = new Latest<CloudVolume>();
    volumes.set(await cloud.volumes());
    const ended = new AbortController();
    let appearedMs = 0;
    const timed = {
      facts: cloud.facts,
      volumes: cloud.volumes,
      async attachVolume(id: string) {
        const attached = await cloud.attachVolume(id);
        appearedMs = performance.now();
        return attached;
      },
    };
    const log = makeLog(() => undefined, false, 'bench');
    const formats = formatRecord(join(folder, 'formatting'));
    const mounted = Promise.withResolvers<number>();
    const running = reconcileVolume(
      wanted,
      [wanted.tagKey],
      {
        cloud: timed,
        volumes,
        oneAtATime: new Mutex(),
        formats,
        log,
        onStep: ({ action }) => {
          if (action === 'nothing') mounted.resolve(performance.now() - appearedMs);
        },
      },
      ended.signal,
    ).catch(() => undefined);
    const ms = await mounted.promise;
    if (round === 0)
      console.log(`empty device, from its appearance until it is formatted and mounted: ${ms.toFixed(0)} ms`);
    else times.push(ms);
    ended.abort();
    await running;
    await execa('umount', [wanted.mountPoint]);
    await cloud.detachVolume('vol-a');
  }
  console.log(`used device, from its appearance until it is mounted: ${spread(times)}`);
} finally {
  await cloud.end();
  await rm(folder, { recursive: true, force: true });
}
