import { createHash } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { expectSha256, knownSha256, stampFile } from './known-hash.ts';
import { temporaryHost, type TemporaryHost } from './testing/temporary-host.ts';

const { signal } = new AbortController();
let host: TemporaryHost;
beforeEach(async () => {
  host = await temporaryHost();
});
afterEach(() => host.remove());

const OTHER_TEXTS = ['', '{"sha', 'null', '[]', '{}', '{"identity":"x","into":"/opt","files":[{"path":5}]}'];

test.each(OTHER_TEXTS)('a file whose stamp is %j is hashed again', async (text) => {
  await writeFile(join(host.root, 'program'), 'bytes');
  await stampFile({ root: host.root, hashes: new Map() }, 'program', 'not the hash of the file');
  const stamps = join(host.root, 'var/lib/kops/stamps');
  const [stamp = ''] = await readdir(stamps);
  await writeFile(join(stamps, stamp), text);
  expect(await knownSha256({ root: host.root, hashes: new Map() }, 'program', signal)).toBe(
    createHash('sha256').update('bytes').digest('hex'),
  );
});

test('a file is hashed once in a run, and again when it has changed', async () => {
  const env = { root: host.root, hashes: new Map() };
  const path = join(host.root, 'program');
  await writeFile(path, 'bytes');
  const found = await knownSha256(env, 'program', signal);
  expect([...env.hashes]).toEqual([['program', expect.objectContaining({ sha256: found, size: 5 })]]);
  await expectSha256(env, 'program', found ?? '', signal);
  await writeFile(path, 'BYTES');
  await expect(expectSha256(env, 'program', found ?? '', signal)).rejects.toThrow('it was changed since');
});

test.each(OTHER_TEXTS)('an archive whose marker is %j is unpacked again', async (text) => {
  const markers = join(host.root, 'var/lib/kops/archives');
  await mkdir(markers, { recursive: true });
  await writeFile(join(markers, 'cni.json'), text);
  const props = { assetPath: '/cni.tgz', identity: 'x', into: '/opt' };
  const { tasks } = await host.plan([{ kind: 'Archive', name: 'cni', props }]);
  expect(tasks.map(({ result, steps }) => [result, steps.map(({ action }) => action)])).toEqual([
    ['planned', ['unpack']],
  ]);
});
