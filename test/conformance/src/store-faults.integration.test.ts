import { afterAll } from 'vitest';
import { createGcsStore } from '@kopsctl/state-store/gcs/gcs-store.ts';
import { createS3Store } from '@kopsctl/state-store/s3/s3-store.ts';
import { casesOf } from '@kopsctl/test-suite/long.ts';
import { describeHarmedStore } from './describe-harmed-store.ts';
import { startFakeGcs } from './fake-gcs.ts';
import { startGcs } from './gcs-server.ts';
import { startMoto } from './moto.ts';
import { credentials, makeBucket } from './s3-server.ts';

const BUCKET = 'state';

const S3_OVERLOADED = {
  contentType: 'application/xml',
  body: '<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>',
};
const GCS_OVERLOADED = {
  contentType: 'application/json',
  body: JSON.stringify({ error: { code: 503, message: 'Backend Error', errors: [{ reason: 'backendError' }] } }),
};

const openGcs = (endpoint: string, number: number, silenceMs: number) =>
  createGcsStore(`gs://${BUCKET}/store-${number}`, { endpoint, silenceMs });

const [moto, fakeGcs, gcs] = [await startMoto(), await startFakeGcs(BUCKET), await startGcs()];

afterAll(async () => {
  await Promise.all([moto?.stop(), fakeGcs?.stop(), gcs.stop()]);
});

if (moto !== undefined) {
  await makeBucket(moto, BUCKET, false);
  describeHarmedStore(`s3 on moto ${moto.version}`, {
    endpoint: moto.endpoint,
    overloaded: S3_OVERLOADED,
    open: (endpoint, number, silenceMs) =>
      createS3Store(`s3://${BUCKET}/store-${number}`, { endpoint, credentials, silenceMs }),
  });
}
if (fakeGcs !== undefined) {
  describeHarmedStore('gcs on fake-gcs-server', {
    endpoint: fakeGcs.endpoint,
    overloaded: GCS_OVERLOADED,
    open: openGcs,
  });
}
// A write that is repeated after a lost answer meets preconditions alone, which both servers for this protocol enforce.
for (const { endpoint } of fakeGcs === undefined ? [gcs] : casesOf([], [gcs])) {
  describeHarmedStore('gcs on the test server', { endpoint, overloaded: GCS_OVERLOADED, open: openGcs });
}
