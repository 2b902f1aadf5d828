import { withBoltFile, type BoltFile } from './bolt/bolt-file.ts';

/**
 * Makes a restored database begin at `revision`, with everything before it compacted. A client that watched the old
 * cluster then has to list again, and never sees revisions go back.
 *
 * It changes the file as `etcdutl snapshot restore --bump-revision --mark-compacted` does since 3.5.16
 * (etcdutl/snapshot/v3_snapshot.go), for older versions whose tools cannot: it adds an empty entry at the revision, and a
 * compaction that etcd carries out when it starts. The entry belongs to the empty key, which no range includes.
 *
 * @returns the revision that the database had; if that is `revision` already, nothing is changed
 * @throws if the database is beyond `revision`
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

/** As etcd's mvcc/revision.go encodes it: the transaction, `_`, the change within the transaction. */
function printRevision(revision: number): Buffer {
  const key = Buffer.alloc(17);
  key.writeBigUInt64BE(BigInt(revision), 0);
  key.write('_', 8);
  return key;
}

/** The last revision in a database. A database without entries is at revision 1. */
export async function revisionIn(file: Pick<BoltFile, 'lastKey'>): Promise<number> {
  const key = await file.lastKey('key');
  return key === undefined ? 1 : Number(key.readBigUInt64BE(0));
}
