import { afterAll, describe, expect, test } from 'vitest';
import { describeStateStore } from '@kopsctl/state-store/testing/conformance.ts';
import { createS3Store } from '@kopsctl/state-store/s3/s3-store.ts';
import { startRadosgw } from './radosgw.ts';
import { credentials, makeBucket } from './s3-server.ts';

const server = await startRadosgw();
let buckets = 0;

describe.skipIf(server === undefined)('S3 on Ceph radosgw', () => {
  if (server === undefined) return;
  const options = { endpoint: server.endpoint, credentials };
  const newBucket = (isVersioned: boolean) => makeBucket(server, `state-${(buckets += 1)}`, isVersioned);
  afterAll(() => server.stop());

  describeStateStore('s3, unversioned bucket', async () => {
    const url = `s3://${await newBucket(false)}/kops/state`;
    return { store: createS3Store(url, options), another: createS3Store(url, options), close: async () => undefined };
  });

  test('a versioned bucket is refused, because radosgw does not compare atomically there', async () => {
    const store = createS3Store(`s3://${await newBucket(true)}`, options);
    await expect(store.write('demo/config', Buffer.from('x'), { ifAbsent: true })).rejects.toThrow(
      /does not honour conditional writes \(of \d+ simultaneous creations, \d+ succeeded\)/,
    );
    expect(await store.list('')).toEqual([]);
  });
});
