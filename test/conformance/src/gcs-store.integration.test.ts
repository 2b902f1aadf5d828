import { afterAll, describe, expect, test } from 'vitest';
import { describeStateStore } from '@kopsctl/state-store/testing/conformance.ts';
import { createGcsStore } from '@kopsctl/state-store/gcs/gcs-store.ts';
import { startCheckedGcs } from './checked-gcs.ts';
import { startFakeGcs } from './fake-gcs.ts';
import { type GcsServer, startGcs } from './gcs-server.ts';

const server = await startGcs();
const fakeGcs = await startFakeGcs('bucket');
const checked = fakeGcs && (await startCheckedGcs(fakeGcs.endpoint));
let stores = 0;

afterAll(async () => {
  await checked?.stop();
  await Promise.all([fakeGcs?.stop(), server.stop()]);
});

const describeGcsStore = ({ endpoint }: GcsServer): void =>
  describeStateStore('gcs', async () => {
    const url = `gs://bucket/store-${(stores += 1)}`;
    const open = () => createGcsStore(url, { endpoint });
    return { store: open(), another: open(), close: async () => undefined };
  });

describe.skipIf(checked === undefined)('GCS: the store against fake-gcs-server', () => {
  if (checked !== undefined) describeGcsStore(checked);
});

describe('GCS: the store against the test server', () => {
  describeGcsStore(server);

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
