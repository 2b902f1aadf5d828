import { cp, mkdir, mkdtemp, open, readFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { snapshotTools } from '../backup/snapshot-tools.ts';
import { ETCD_MINORS, findTestEtcds, type TestEtcd } from '@kopsctl/test-peers/etcd.ts';
import { runEtcd2 } from '@kopsctl/test-peers/etcd2.ts';
import { openEtcd } from '../etcd/client.ts';
import { clusterIdOf, readLogExtent } from './log-position.ts';

const folders: string[] = [];

afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

/** A log written by an etcd that was killed, and the last position that this etcd named. */
async function writtenBy(etcd: TestEtcd, keys: number) {
  const folder = await mkdtemp(join(tmpdir(), 'log-'));
  folders.push(folder);
  const dataDir = join(folder, 'data');
  const running = await runEtcd2(etcd, [{ address: '127.0.0.1', dataDir }]);
  for (let at = 0; at < keys; at += 1) await running.put(`/key-${at}`, 'value '.repeat(at));
  const { headers } = await fetch(`${running.urls[0] ?? ''}/v2/keys/key-0`);
  const etcd3 = await openEtcd(running.urls[0] ?? '', undefined);
  const { clusterId } = await etcd3.status(AbortSignal.timeout(30_000));
  etcd3.close();
  await running.stop(0, 'SIGKILL');
  const said = { term: Number(headers.get('x-raft-term')), index: Number(headers.get('x-raft-index')) };
  return { folder, dataDir, said, clusterId };
}

const etcds = await findTestEtcds();

describe.skipIf(etcds === undefined).each(ETCD_MINORS)('The log of etcd %s', (minor) => {
  if (etcds === undefined) return;

  test('ends at the position that etcd named before it was killed, and names the cluster', async () => {
    const { dataDir, said, clusterId } = await writtenBy(etcds[minor], 50);
    expect(await clusterIdOf(dataDir)).toBe(clusterId);
    expect(said.index).toBeGreaterThan(50);
    expect((await readLogExtent(dataDir)).last).toEqual(said);
  });
});

/** The size of the written part of a log file. The rest of the file is zeros. */
async function writtenBytes(path: string): Promise<number> {
  const bytes = await readFile(path);
  let end = bytes.byteLength;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  return end;
}

describe.skipIf(etcds === undefined)('A log whose end was not written', () => {
  if (etcds === undefined) return;
  const etcd33 = etcds['3.3'];

  test('is read exactly as far as etcd reads it', async () => {
    const { folder, dataDir } = await writtenBy(etcd33, 15);
    // The snapshots would name positions beyond the end.
    await rm(join(dataDir, 'member', 'snap'), { recursive: true });
    await mkdir(join(dataDir, 'member', 'snap'));
    const tools = await snapshotTools(etcd33.binDir);
    const wal = join('member', 'wal', '0000000000000000-0000000000000000.wal');
    const end = await writtenBytes(join(dataDir, wal));
    const seen: string[] = [];
    for (let at = 0; at < 24; at += 1) {
      const bytes = end - Math.floor((at * (end - 600)) / 24) - (at % 3);
      // Cut off, as a file that grows; or zeros from there on, as a preallocated file.
      const isCut = at % 2 === 0;
      const copy = join(folder, `copy-${at}`);
      await cp(dataDir, copy, { recursive: true });
      if (isCut) await truncate(join(copy, wal), bytes);
      else {
        await using file = await open(join(copy, wal), 'r+');
        await file.write(Buffer.alloc(end - bytes), 0, end - bytes, bytes);
      }
      const backup = join(folder, `backup-${at}`);
      const theirs = await tools.backUpEtcd2(copy, backup, AbortSignal.timeout(30_000)).then(
        async () => (await readLogExtent(backup)).last,
        () => 'damaged',
      );
      // `etcdctl backup` leaves out the entries about members and renumbers the others.
      const ours = await readLogExtent(copy).then(
        ({ last: { term, index }, entriesOfMembers }) => ({ term, index: index - entriesOfMembers }),
        () => 'damaged',
      );
      expect({ bytes, isCut, found: ours }).toEqual({ bytes, isCut, found: theirs });
      seen.push(typeof ours === 'object' ? 'read' : ours);
      await Promise.all([copy, backup].map((path) => rm(path, { recursive: true })));
    }
    expect(new Set(seen)).toEqual(new Set(['read', 'damaged']));
  });
});
