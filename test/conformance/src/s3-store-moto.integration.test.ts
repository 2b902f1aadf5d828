import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, describe, expect, test } from 'vitest';
import { describeStateStore } from '@kopsctl/state-store/testing/conformance.ts';
import { createS3Store } from '@kopsctl/state-store/s3/s3-store.ts';
import { startMoto } from './moto.ts';
import { credentials, makeBucket } from './s3-server.ts';

const moto = await startMoto();
let buckets = 0;

describe.skipIf(moto === undefined)('S3 on moto', () => {
  if (moto === undefined) return;
  const newBucket = (isVersioned: boolean) => makeBucket(moto, `state-${(buckets += 1)}`, isVersioned);
  afterAll(() => moto.stop());

  for (const [kind, isVersioned] of [
    ['unversioned', false],
    ['versioned', true],
  ] as const) {
    describeStateStore(`s3, ${kind} bucket`, async () => {
      const url = `s3://${await newBucket(isVersioned)}/kops/state`;
      const options = { endpoint: moto.endpoint, credentials };
      return { store: createS3Store(url, options), another: createS3Store(url, options), close: async () => undefined };
    });
  }

  test('the error about a missing bucket names the command that creates it', async () => {
    const store = createS3Store('s3://no-such-bucket', { endpoint: moto.endpoint, credentials });
    await expect(store.read('demo/config')).rejects.toMatchObject({
      why: 'there is no bucket no-such-bucket',
      next: expect.stringContaining('create-bucket'),
    });
  });

  test('objects are encrypted as configured, both small ones and multipart uploads', async () => {
    const bucket = await newBucket(true);
    const asked = { endpoint: moto.endpoint, credentials, encryption: { by: 'aws:kms', key: 'mine' } as const };
    const store = createS3Store(`s3://${bucket}`, asked);
    await store.write('small', Buffer.from('x'), { ifAbsent: true });
    async function* large() {
      for (let part = 0; part < 3; part += 1) yield new Uint8Array(6 * 1024 * 1024);
    }
    await store.writeStream('large', large(), { ifAbsent: true });
    const client = new S3Client({ endpoint: moto.endpoint, region: 'us-east-1', forcePathStyle: true, credentials });
    for (const Key of ['small', 'large']) {
      const head = await client.send(new HeadObjectCommand({ Bucket: bucket, Key }));
      expect([Key, head.ServerSideEncryption, head.SSEKMSKeyId]).toEqual([Key, 'aws:kms', 'mine']);
    }
  });

  test('all objects are listed if they need several pages', async () => {
    const bucket = await newBucket(false);
    const store = createS3Store(`s3://${bucket}`, { endpoint: moto.endpoint, credentials });
    const paths = Array.from({ length: 1100 }, (_, index) => `demo/${String(index).padStart(4, '0')}`);
    for (let from = 0; from < paths.length; from += 50) {
      await Promise.all(
        paths.slice(from, from + 50).map((path) => store.write(path, new Uint8Array(), { ifAbsent: true })),
      );
    }
    expect((await store.list('demo')).map((entry) => entry.path)).toEqual(paths);
  });

  test('a server that ignores conditions is refused, unless blind writes are allowed', async () => {
    const url = `s3://${await newBucket(false)}`;
    const proxy = await startProxy(moto.endpoint, (headers) => {
      const { 'if-none-match': _, 'if-match': __, ...others } = headers;
      return others;
    });
    const refused = createS3Store(url, { endpoint: proxy.endpoint, credentials });
    await expect(refused.write('demo/config', Buffer.from('x'), { ifAbsent: true })).rejects.toThrow(
      /does not honour conditional writes \(it ignores If-None-Match\)/,
    );
    expect(await refused.list('')).toEqual([]);
    const allowed = createS3Store(url, { endpoint: proxy.endpoint, credentials, allowBlindWrites: true });
    await allowed.write('demo/config', Buffer.from('x'), { ifAbsent: true });
    expect(await allowed.list('')).toHaveLength(1);
    await proxy.stop();
  });

  test('a write whose answer was lost is repeated and does not conflict with itself', async () => {
    const url = `s3://${await newBucket(true)}`;
    const lossy = { drop: 0 };
    const proxy = await startProxy(moto.endpoint, (headers) => headers, lossy);
    const store = createS3Store(url, { endpoint: proxy.endpoint, credentials });
    const first = await store.write('demo/config', Buffer.from('first'), { ifAbsent: true });
    lossy.drop = 1;
    const second = await store.write('demo/config', Buffer.from('second'), { ifVersion: first.version });
    expect((await store.read('demo/config'))?.version).toBe(second.version);
    expect(lossy.drop).toBe(0);
    await proxy.stop();
  });
});

/** Forwards requests, but drops the answers of the next `drop` PUTs. */
async function startProxy(
  endpoint: string,
  change: (headers: IncomingMessage['headers']) => IncomingMessage['headers'],
  lossy = { drop: 0 },
) {
  function pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const options = { method: incoming.method ?? 'GET', headers: change(incoming.headers) };
    const forwarded = request(`${endpoint}${incoming.url}`, options, (answer) => {
      if (incoming.method === 'PUT' && lossy.drop > 0) {
        lossy.drop -= 1;
        answer.resume().on('end', () => outgoing.destroy());
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  }
  const server = createServer(pass).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
