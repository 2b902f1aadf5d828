import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { Storage, type Bucket } from '@google-cloud/storage';
import { afterAll, describe, expect, it } from 'vitest';
import { createGcsStore } from '@kopsctl/state-store/gcs/gcs-store.ts';
import { ConflictError } from '@kopsctl/state-store/store.ts';
import { startFakeGcs } from './fake-gcs.ts';
import { startGcs } from './gcs-server.ts';

const BUCKET = 'state';
const PREFIX = 'clusters';

const [fakeGcs, gcs] = [await startFakeGcs(BUCKET), await startGcs()];
const servers = { 'the test server': gcs, ...(fakeGcs && { 'fake-gcs-server': fakeGcs }) };

afterAll(async () => {
  await Promise.all([fakeGcs?.stop(), gcs.stop()]);
});

/** The requests are ours; Google's own client, which knows nothing of them, is the witness. */
describe.each(Object.entries(servers))("our requests and Google's own client, on %s", (_, { endpoint }) => {
  const store = createGcsStore(`gs://${BUCKET}/${PREFIX}`, { endpoint });
  const bucket: Bucket = new Storage({ apiEndpoint: endpoint, projectId: 'test' }).bucket(BUCKET);
  const theirs = (path: string) => bucket.file(`${PREFIX}/${path}`);

  it.each(['plain/config', 'with blank/ü 1+1%2F?#', 'a/b/c/d.tar.gz'])('read the same object at %s', async (path) => {
    const bytes = randomBytes(300_000);
    const { version } = await store.write(path, bytes, { ifAbsent: true });
    const [read] = await theirs(path).download({ validation: 'crc32c' });
    expect(read.equals(bytes)).toBe(true);
    const [metadata] = await theirs(path).getMetadata();
    expect(String(metadata.generation)).toBe(version);
  });

  it('read what the other has streamed', async () => {
    const parts = Array.from({ length: 40 }, () => randomBytes(70_000));
    await store.writeStream('ours.gz', Readable.from(parts), { ifAbsent: true });
    expect((await theirs('ours.gz').download())[0].equals(Buffer.concat(parts))).toBe(true);

    await theirs('theirs.gz').save(Buffer.concat(parts), { resumable: false });
    const stream = await store.readStream('theirs.gz');
    const chunks: Uint8Array[] = [];
    for await (const chunk of stream?.chunks ?? []) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(Buffer.concat(parts))).toBe(true);
  });

  it('list the same objects', async () => {
    for (const path of ['listed/b', 'listed/a/1', 'listed/ü']) await theirs(path).save(path, { resumable: false });
    const [files] = await bucket.getFiles({ prefix: `${PREFIX}/listed/` });
    const ours = (await store.list('listed')).map(({ path, size }) => ({ name: `${PREFIX}/${path}`, size }));
    const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
    expect(ours.sort(byName)).toEqual(
      files.map(({ name, metadata }) => ({ name, size: Number(metadata.size) })).sort(byName),
    );
    expect(ours).toHaveLength(3);
  });

  it('refuse a write over what the other has written since', async () => {
    const { version } = await store.write('contended', Buffer.from('ours'), { ifAbsent: true });
    const stale = theirs('contended').save('theirs', {
      resumable: false,
      preconditionOpts: { ifGenerationMatch: 0 },
    });
    await expect(stale).rejects.toMatchObject({ code: 412 });
    await theirs('contended').save('theirs', {
      resumable: false,
      preconditionOpts: { ifGenerationMatch: version },
    });
    await expect(store.write('contended', Buffer.from('late'), { ifVersion: version })).rejects.toThrow(ConflictError);
    expect((await store.read('contended'))?.bytes.toString()).toBe('theirs');
  });

  it('see what the other has deleted', async () => {
    await store.write('deleted', Buffer.from('x'), { ifAbsent: true });
    await theirs('deleted').delete();
    expect(await store.read('deleted')).toBeUndefined();
    await theirs('deleted').save('x', { resumable: false });
    await store.delete('deleted');
    expect((await theirs('deleted').exists())[0]).toBe(false);
  });
});
