import { expect, test } from 'vitest';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { fetchLocation } from './fetch-location.ts';

const signal = new AbortController().signal;

/** A cluster's own store, and another bucket. */
async function stores() {
  const [store, theirs] = [createMemoryStore(), createMemoryStore()];
  await store.write('demo/addons/mine.yaml', Buffer.from('mine'), { ifAbsent: true });
  await theirs.write('channel.yaml', Buffer.from('theirs'), { ifAbsent: true });
  const opened: string[] = [];
  const openStore = (url: string) => {
    opened.push(url);
    return Promise.resolve(theirs);
  };
  return { env: { cluster: 'demo', store, openStore }, opened };
}

const text = async (location: string, env: Parameters<typeof fetchLocation>[1]): Promise<string> =>
  (await fetchLocation(location, env, signal)).toString('utf8');

test('a path is read from the folder of the cluster, and a URL of a bucket from that bucket', async () => {
  const { env, opened } = await stores();
  expect(await text('addons/mine.yaml', env)).toBe('mine');
  expect(await text('s3://bucket/some/folder/channel.yaml', env)).toBe('theirs');
  expect(opened).toEqual(['s3://bucket/some/folder']);
});

test.each([
  ['addons/none.yaml', 'demo/addons/none.yaml: it is not in memory:'],
  ['gs://bucket/none.yaml', 'none.yaml: it is not in memory:'],
  ['http://example.com/c.yaml', 'http:// is not one of s3, gs, https and file'],
])('a location that cannot be read is an error: %s', async (location, expected) => {
  const { env } = await stores();
  await expect(fetchLocation(location, env, signal)).rejects.toThrow(expected);
});
