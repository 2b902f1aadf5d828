import { afterAll, describe } from 'vitest';
import { describeStateStore } from '@kopsctl/state-store/testing/conformance.ts';
import { createGcsStore } from '@kopsctl/state-store/gcs/gcs-store.ts';
import { startGcs } from './gcs-server.ts';

const server = await startGcs();
let stores = 0;

describe("GCS: Google's client against the test server", () => {
  afterAll(() => server.stop());

  describeStateStore('gcs', async () => {
    const url = `gs://bucket/store-${(stores += 1)}`;
    const options = { endpoint: server.endpoint };
    return { store: createGcsStore(url, options), another: createGcsStore(url, options), close: async () => undefined };
  });
});
