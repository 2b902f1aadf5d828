import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeStateStore } from '../testing/conformance.ts';
import { createFileStore } from './file-store.ts';

describeStateStore('file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kopsctl-file-store-'));
  const url = pathToFileURL(join(folder, 'store')).href;
  return {
    store: createFileStore(url),
    another: createFileStore(url),
    close: () => rm(folder, { recursive: true }),
  };
});
