import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createGcsStore } from './gcs/gcs-store.ts';
import { createHttpStore } from './http/http-store.ts';
import { createS3Store } from './s3/s3-store.ts';
import type { StateStore } from './store.ts';
import { startSilentServer, type Silence, type SilentServer } from './testing/silent-server.ts';

/** Long enough that the signal is what ends a request, and that only where nobody aborts it does the limit. */
const LONG_MS = 60_000;
const SHORT_MS = 300;
/** Four tries with their pauses, on a busy machine. */
const SOON_MS = 30_000;

const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
const STORES: Readonly<Record<string, (endpoint: string, silenceMs: number) => StateStore>> = {
  s3: (endpoint, silenceMs) =>
    createS3Store('s3://bucket', { endpoint, silenceMs, credentials, allowBlindWrites: true }),
  gcs: (endpoint, silenceMs) => createGcsStore('gs://bucket', { endpoint, silenceMs }),
  http: (endpoint, silenceMs) => createHttpStore(endpoint, { wholeMs: silenceMs, streamMs: silenceMs }),
};

async function* once(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('x');
}

const REQUESTS: Readonly<Record<string, (store: StateStore, signal?: AbortSignal) => Promise<unknown>>> = {
  read: (store, signal) => store.read('demo/config', signal),
  write: (store, signal) => store.write('demo/config', Buffer.from('x'), { ifAbsent: true }, signal),
  list: (store, signal) => store.list('demo', signal),
  delete: (store, signal) => store.delete('demo/config', { ifVersion: '1' }, signal),
  writeStream: (store, signal) => store.writeStream('demo/config', once(), { ifVersion: '1' }, signal),
  readStream: async (store, signal) => {
    const stored = await store.readStream('demo/config', signal);
    for await (const _ of stored?.chunks ?? []) continue;
  },
};

async function serve(silence: Silence): Promise<SilentServer> {
  const server = await startSilentServer(silence);
  onTestFinished(() => server.stop());
  return server;
}

async function until(isTrue: () => boolean): Promise<void> {
  const giveUpAtMs = performance.now() + SOON_MS;
  while (!isTrue()) {
    if (performance.now() > giveUpAtMs) throw new Error('never');
    await sleep(10);
  }
}

// Each of them waits nearly all of its time.
describe.concurrent.each(Object.keys(STORES))('a server of %s that says nothing', (kind) => {
  const open = STORES[kind];
  if (open === undefined) throw new Error('unreachable: it is one of its keys');

  describe.each(['from the beginning', 'within the body'] as const)('%s', (silence) => {
    test.each(Object.entries(REQUESTS))('ends %s when its signal aborts, and its connection', async (_, request) => {
      const server = await serve(silence);
      const stop = new AbortController();
      const store = open(server.endpoint, LONG_MS);
      const asked = request(store, stop.signal);
      asked.catch(() => undefined);
      await until(() => server.open.size > 0);
      const startMs = performance.now();
      stop.abort(new Error('given up'));
      await expect(asked).rejects.toThrow(/given up|abort/i);
      await until(() => server.open.size === 0);
      expect(performance.now() - startMs).toBeLessThan(LONG_MS / 2);
    });

    test.each(Object.entries(REQUESTS))('ends %s after a while by itself', async (_, request) => {
      const server = await serve(silence);
      const startMs = performance.now();
      await expect(request(open(server.endpoint, SHORT_MS))).rejects.toThrow(/./);
      expect(performance.now() - startMs).toBeLessThan(SOON_MS);
      await until(() => server.open.size === 0);
    });
  });
});
