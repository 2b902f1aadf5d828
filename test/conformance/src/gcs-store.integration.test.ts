import { afterAll, describe, expect, test } from 'vitest';
import { describeStateStore } from '@kopsctl/state-store/testing/conformance.ts';
import { createGcsStore } from '@kopsctl/state-store/gcs/gcs-store.ts';
import { startGcs } from './gcs-server.ts';

const server = await startGcs();
let stores = 0;

describe('GCS: the store against the test server', () => {
  afterAll(() => server.stop());

  describeStateStore('gcs', async () => {
    const url = `gs://bucket/store-${(stores += 1)}`;
    const options = { endpoint: server.endpoint };
    return { store: createGcsStore(url, options), another: createGcsStore(url, options), close: async () => undefined };
  });

  test('an object that is not there is undefined, whatever the bucket is called', async () => {
    const store = createGcsStore('gs://my-kops-bucket/state', { endpoint: server.endpoint });
    expect(await store.read('demo/bucket')).toBeUndefined();
    expect(await store.readStream('demo/bucket')).toBeUndefined();
    await store.delete('demo/bucket');
    await store.write('demo/bucket', Buffer.from('x'), { ifAbsent: true });
    expect(await store.list('demo')).toHaveLength(1);
  });

  test('a bucket that is not there is named, whatever is asked of it', async () => {
    const missing = () => createGcsStore('gs://missing/state', { endpoint: server.endpoint });
    const error = { why: expect.stringContaining('there is no bucket missing') };
    await expect(missing().read('demo/config')).rejects.toMatchObject(error);
    await expect(missing().readStream('demo/config')).rejects.toMatchObject(error);
    await expect(missing().list('demo')).rejects.toMatchObject(error);
    await expect(missing().delete('demo/config')).rejects.toMatchObject(error);
    await expect(missing().write('demo/config', Buffer.from('x'), { ifAbsent: true })).rejects.toMatchObject(error);
  });
});
