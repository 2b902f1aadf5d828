import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chooseAddons } from './choose-addons.ts';
import { readAddonsChannel } from './read-addons-channel.ts';

const SIGNAL = new AbortController().signal;
const HASH = 'a'.repeat(64);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'channel-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Writes a file into the store's folder `demo/addons` and returns its URL. */
async function written(name: string, text: string): Promise<string> {
  await mkdir(join(folder, 'demo/addons/net'), { recursive: true });
  const path = join(folder, 'demo/addons', name);
  await writeFile(path, text);
  return pathToFileURL(path).href;
}
const reading = async (url: string) => readAddonsChannel(url, {}, SIGNAL);

test('manifests are read beside their channel, or from their own URLs', async () => {
  await written('net/of net.yaml', 'beside');
  const elsewhere = await written('other.yaml', 'elsewhere');
  const url = await written(
    'channel.yaml',
    `kind: Addons
spec:
  addons:
  - {name: net, manifest: net/of net.yaml, manifestHash: ${HASH}}
  - {name: other, manifest: '${elsewhere}', manifestHash: ${HASH}}
`,
  );
  const chosen = chooseAddons([await reading(url)], 'v1.36.2');
  const texts = await Promise.all(chosen.map(async ({ read }) => (await read(SIGNAL)).toString()));
  expect(texts).toEqual(['beside', 'elsewhere']);
});

test.each([
  ['kind: ConfigMap\n', 'it is not a channel'],
  ['<html><body>Sign in</body></html>', 'it is not a channel'],
  ['kind: [', 'Flow sequence'],
])('what is not a channel is refused: %j', async (text, why) => {
  const url = await written('wrong.yaml', text);
  await expect(reading(url)).rejects.toThrow(why);
});
