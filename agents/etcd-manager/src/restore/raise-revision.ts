import { withBoltFile, type BoltFile } from './bolt/bolt-file.ts';

/**
 * Makes a database that was restored from a snapshot begin at `revision`, with everything before it compacted, so that
 * whoever watched the cluster before is told to list anew instead of seeing time go backwards.
 *
 * It does to the file what `etcdutl snapshot restore --bump-revision --mark-compacted` does from 3.5.16 on
 * (etcdutl/snapshot/v3_snapshot.go): an empty entry at the revision, and a compaction that etcd carries out when it
 * starts. The entry belongs to the empty key, which no range can name. Done for the older versions, whose tools cannot.
 *
 * @returns the revision the database had. Nothing is changed when that is `revision` already.
 */
export async function raiseRevision(databasePath: string, revision: number): Promise<number> {
  return withBoltFile(databasePath, async (file) => {
    const last = await revisionIn(file);
    if (last > revision) throw new Error(`${databasePath} is at revision ${last}, beyond ${revision}`);
    if (last === revision) return last;
    await file.put('key', printRevision(revision), Buffer.alloc(0));
    await file.put('meta', Buffer.from('scheduledCompactRev'), printRevision(revision));
    await file.commit();
    return last;
  });
}

/** etcd's mvcc/revision.go: the transaction, `_`, the change within it. An etcd that was never written to is at 1. */
function printRevision(revision: number): Buffer {
  const key = Buffer.alloc(17);
  key.writeBigUInt64BE(BigInt(revision), 0);
  key.write('_', 8);
  return key;
}

/** The last revision that a database knows. */
export async function revisionIn(file: Pick<BoltFile, 'lastKey'>): Promise<number> {
  const key = await file.lastKey('key');
  return key === undefined ? 1 : Number(key.readBigUInt64BE(0));
}
