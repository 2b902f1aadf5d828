import { afterAll, describe, expect, test } from 'vitest';
import { describeStateStore } from '@kopsctl/state-store/conformance.ts';
import { createS3Store } from '@kopsctl/state-store/s3/s3-store.ts';
import { startRadosgw } from './radosgw.ts';
import { credentials, makeBucket, startOrSayWhyNot } from './s3-server.ts';

const server = await startOrSayWhyNot('Ceph radosgw', startRadosgw);
let buckets = 0;

describe.skipIf(server === undefined)('S3 by Ceph radosgw', () => {
  if (server === undefined) return;
  const options = { endpoint: server.endpoint, credentials };
  const newBucket = (isVersioned: boolean) => makeBucket(server, `state-${(buckets += 1)}`, isVersioned);
  afterAll(() => server.stop());

  describeStateStore('s3, unversioned bucket', async () => {
    const url = `s3://${await newBucket(false)}/kops/state`;
    return { store: createS3Store(url, options), another: createS3Store(url, options), close: async () => undefined };
  });

  test('a versioned bucket, on which it compares but not atomically, is refused', async () => {
    const store = createS3Store(`s3://${await newBucket(true)}`, options);
    await expect(store.write('demo/config', Buffer.from('x'), { ifAbsent: true })).rejects.toThrow(
      /does not honour conditional writes \(of \d+ creations at once \d+ succeeded\)/,
    );
    expect(await store.list('')).toEqual([]);
  });
});
