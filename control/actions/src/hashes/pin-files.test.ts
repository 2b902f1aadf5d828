import type { PublishedAsset } from '@kopsctl/model/assets/published-asset.ts';
import type { Sha256Of } from '@kopsctl/model/assets/asset-catalog.ts';
import { expect, test } from 'vitest';
import { pinFiles, UNKNOWN_SHA256 } from './pin-files.ts';

const asset = (name: string): PublishedAsset => {
  const url = `https://releases.test/${name}`;
  return { name, version: '1.0.0', arch: 'amd64', file: name, urls: [url], sha256Url: `${url}.sha256` };
};
const [kubelet, etcd, agents] = [asset('kubelet'), asset('etcd'), asset('agents')];
const hashOf = (letter: string) => letter.repeat(64);
const table = new Map([['https://releases.test/kubelet', hashOf('a')]]);
const recorded = new Map([['https://releases.test/etcd', hashOf('b')]]);

/** A model whose machines download some files, and what it was told of them. */
const model =
  (...files: readonly PublishedAsset[]) =>
  (sha256Of: Sha256Of) => [{ kind: 'Plan', name: 'plan', props: { hashes: files.map((file) => sha256Of(file)) } }];

const nobody = async (): Promise<never> => {
  throw new Error('nothing has to be read');
};

test('all published files that machines download are listed with their hashes, also those that no task names', async () => {
  const known = await pinFiles(model(kubelet, etcd, kubelet), { table, recorded, read: nobody });
  expect(known.files).toEqual([
    { url: 'https://releases.test/kubelet', sha256: hashOf('a') },
    { url: 'https://releases.test/etcd', sha256: hashOf('b') },
  ]);
  const read = async () => new Map([['https://releases.test/agents', hashOf('c')]]);
  const found = await pinFiles(model(agents), { table, recorded, read });
  expect(found.files).toEqual([{ url: 'https://releases.test/agents', sha256: hashOf('c') }]);
  const offline = await pinFiles(model(agents), { table, recorded, read: undefined });
  expect(offline.files).toEqual([{ url: 'https://releases.test/agents', sha256: UNKNOWN_SHA256 }]);
});

test('what the table and the store know is not read again', async () => {
  const { tasks, read, unknown } = await pinFiles(model(kubelet, etcd), { table, recorded, read: nobody });
  expect(tasks[0]?.props).toEqual({ hashes: [hashOf('a'), hashOf('b')] });
  expect([read, unknown]).toEqual([[], []]);
});

test('the table goes before what was recorded', async () => {
  const other = new Map([['https://releases.test/kubelet', hashOf('f')]]);
  const { tasks } = await pinFiles(model(kubelet), { table, recorded: other, read: nobody });
  expect(tasks[0]?.props).toEqual({ hashes: [hashOf('a')] });
});

test('the others are read once, named, and kept with those of before', async () => {
  const asked: (readonly PublishedAsset[])[] = [];
  const { tasks, read } = await pinFiles(model(kubelet, agents, agents), {
    table,
    recorded,
    async read(files) {
      asked.push(files);
      return new Map(files.map(({ urls: [url = ''] }) => [url, hashOf('c')]));
    },
  });
  expect(asked).toEqual([[agents]]);
  expect(read).toEqual([agents]);
  expect(tasks[0]?.props).toEqual({ hashes: [hashOf('a'), hashOf('c'), hashOf('c')] });
  const kept = { 'https://releases.test/agents': hashOf('c'), 'https://releases.test/etcd': hashOf('b') };
  const content = `${JSON.stringify(kept, null, 2)}\n`;
  expect(tasks[1]).toMatchObject({ kind: 'ManagedFile', props: { path: 'file-hashes.json', content } });
});

test('without a connection what nobody knows is named, and stands in no plan as a hash', async () => {
  const { tasks, unknown } = await pinFiles(model(kubelet, agents), { table, recorded: new Map(), read: undefined });
  expect(unknown).toEqual([agents]);
  expect(tasks.map(({ kind }) => kind)).toEqual(['Plan']);
  expect(tasks[0]?.props).toEqual({ hashes: [hashOf('a'), UNKNOWN_SHA256] });
});
